import type { PageEntry } from '../../app/page-table.ts'

export const clientPages: readonly PageEntry[] = []
