import { type Code, type Details, Refusal } from '../../kernel/errors.ts'

/**
 * A refusal of the dashboard itself, before an operation is reached. It has the envelope with a code
 * on every path; refusals of operations have the form of their own API (decision 285).
 */
export class DashboardRefusal extends Refusal {}

export const refusal = (
  code: Code,
  why: string,
  details?: Details,
  headers?: Record<string, string>,
) => new DashboardRefusal(code, why, details, headers)
