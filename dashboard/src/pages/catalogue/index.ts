import type { PageEntry } from '../../app/page-table.ts'

export const cataloguePages: readonly PageEntry[] = []
