import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../../db/database.ts'
import { selectChangedTargets, type VersionedTarget, type WebhookTarget } from '../queries/claim.ts'

/**
 * The cached endpoints that deliveries are sent to. Each read compares the versions with the database, so a
 * change applies at once. Only an endpoint with a new version is read and its secret decrypted.
 */
export interface Targets {
  read(ids: ReadonlySet<number>): Promise<ReadonlyMap<number, WebhookTarget>>
  /** Reads one endpoint again. Calls in the same turn of the event loop share one statement. */
  reread(id: number): Promise<WebhookTarget | undefined>
}

const CACHE_MAX = 10_000

export function createTargets(db: Db, cache_max = CACHE_MAX): Targets {
  const cache = new Map<number, VersionedTarget>()
  let batch: { ids: Set<number>; targets: Promise<ReadonlyMap<number, WebhookTarget>> } | undefined

  async function read(ids: ReadonlySet<number>): Promise<ReadonlyMap<number, WebhookTarget>> {
    if (cache.size + ids.size > cache_max) cache.clear()
    // Copied before the statement, because another read may clear the cache meanwhile.
    const targets = new Map(
      [...ids].flatMap((id) => cache.get(id) ?? []).map((item) => [item.id, item]),
    )
    const versions = new Map([...ids].map((id) => [id, targets.get(id)?.version ?? '']))
    for (const target of await selectChangedTargets(db, versions)) {
      targets.set(target.id, target)
      cache.set(target.id, target)
    }
    return targets
  }

  function startBatch() {
    const ids = new Set<number>()
    const targets = nextTurn().then(() => {
      batch = undefined
      return read(ids)
    })
    return { ids, targets }
  }

  return {
    read,
    async reread(id) {
      batch ??= startBatch()
      batch.ids.add(id)
      return (await batch.targets).get(id)
    },
  }
}
