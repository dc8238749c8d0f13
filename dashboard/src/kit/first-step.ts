import type { Request } from '../api/action.ts'
import type { FirstStep } from './list.tsx'

/** The first step on an empty list: the call that creates a record through the client, and a link. */
export const firstStep = ({ client }: Request, link?: FirstStep['link']): FirstStep => ({
  ...(client !== undefined && { code: `await ${client}` }),
  ...(link && { link }),
})
