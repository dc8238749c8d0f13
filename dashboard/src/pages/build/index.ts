import type { PageEntry } from '../../app/page-table.ts'

export const buildPages: readonly PageEntry[] = []
