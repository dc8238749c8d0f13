import { invalid } from '../kernel/errors.ts'
import { checkTarget } from './address.rules.ts'
import { createResolver } from './resolver.ts'

/**
 * Refuses an address that no request of ours may be sent to, by its text and by its resolved
 * addresses. A name that does not resolve now may do so later: only a forbidden address is refused
 * (decision 40).
 */
export async function vetUrl(
  url: string | undefined,
  allowedHosts: ReadonlySet<string>,
): Promise<void> {
  if (url === undefined) return
  const target = checkTarget(url, allowedHosts)
  if ('refusal' in target) throw invalid('url', target.why)
  const resolver = createResolver({ allowedHosts })
  const answer = await resolver.resolve(target.host).finally(() => resolver.close())
  if ('error_code' in answer && answer.error_code === 'blocked_address')
    throw invalid('url', answer.why)
}
