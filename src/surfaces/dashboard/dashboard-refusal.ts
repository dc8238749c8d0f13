import { type Code, Refusal, type RefusalDetails } from '../../kernel/errors.ts'

/**
 * A refusal of the dashboard itself, before an operation runs. It has a code on every path, whereas refusals of
 * operations have the form of their own API (decision 134).
 */
export class DashboardRefusal extends Refusal {}

export const dashboardRefusal = (
  code: Code,
  message: string,
  details?: RefusalDetails,
  headers?: Record<string, string>,
) => new DashboardRefusal(code, message, details, headers)
