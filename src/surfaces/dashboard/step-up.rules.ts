import type { Endpoint } from '../../http/endpoint.ts'

/**
 * The paths of API keys, webhook secrets, the team, payment providers, payouts and withdrawals (decision 137).
 * Creating a webhook endpoint is included, because the answer has its secret (decision 137).
 */
const GUARDED_PATHS =
  /^\/(api-keys|team|invitations|account\/(payment-providers|withdrawals)|affiliates\/payouts)(\/|$)|^\/webhooks$|\/roll-secret$/

/** Returns true if a call needs a password or passkey that was entered in the last 10 minutes. */
export const needsStepUp = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean =>
  method !== 'GET' && GUARDED_PATHS.test(path)
