import type { Endpoint } from '../../http/endpoint.ts'

/** API keys, webhook secrets, the team, payment providers, payouts and withdrawals (decision 137). */
const GUARDED =
  /^\/(api-keys|team|invitations|account\/(payment-providers|withdrawals)|affiliates\/payouts)(\/|$)|\/roll-secret$/

/** True if an endpoint needs a password given in the last 10 minutes. */
export const needsStepUp = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean =>
  method !== 'GET' && GUARDED.test(path)
