import type { PageEntry } from '../../app/page-table.ts'

export const insightPages: readonly PageEntry[] = []
