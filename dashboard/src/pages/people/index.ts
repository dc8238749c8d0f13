import type { PageEntry } from '../../app/page-table.ts'

export const peoplePages: readonly PageEntry[] = []
