import { invalid } from '../kernel/errors.ts'
import { checkTarget } from './address.rules.ts'
import { createResolver } from './resolver.ts'

/**
 * Refuses a URL to which the server may not send requests: by its text, or because its host resolves to a
 * forbidden address. A host that does not resolve is accepted, because it may do so later (decision 40).
 */
export async function checkUrl(
  url: string | undefined,
  allowedHosts: ReadonlySet<string>,
): Promise<void> {
  if (url === undefined) return
  const target = checkTarget(url, allowedHosts)
  if ('refusal' in target) throw invalid('url', target.message)
  const resolver = createResolver({ allowedHosts })
  const answer = await resolver.resolve(target.host).finally(() => resolver.close())
  if ('error_code' in answer && answer.error_code === 'blocked_address')
    throw invalid('url', answer.message)
}
