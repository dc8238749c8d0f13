import type { PageEntry } from '../../app/page-table.ts'

export const settingsPages: readonly PageEntry[] = []
