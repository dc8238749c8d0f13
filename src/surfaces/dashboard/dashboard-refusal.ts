import { type Code, type Details, StoreError } from '../../kernel/errors.ts'

/**
 * A refusal of the dashboard itself, before an operation is reached. It has the envelope with a code
 * on every path; refusals of operations have the form of their own API (decision 285).
 */
export class DashboardRefusal extends StoreError {}

export const refusal = (
  code: Code,
  why: string,
  details?: Details,
  headers?: Record<string, string>,
) => new DashboardRefusal(code, why, details, headers)
