import type { Db } from '../../../db/database.ts'
import { selectChangedTargets, type Target, type VersionedTarget } from '../queries/claim.ts'

const KNOWN_MAX = 10_000

/**
 * Endpoints to send to. Each is asked for every time, so that a change counts at once, but what is
 * known of it, its secret above all, is sent by the database and opened only when it changed.
 */
export function createTargets(db: Db) {
  const known = new Map<number, VersionedTarget>()

  return async (ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Target>> => {
    if (known.size + ids.size > KNOWN_MAX) known.clear()
    const versions = new Map([...ids].map((id) => [id, known.get(id)?.version ?? '']))
    for (const target of await selectChangedTargets(db, versions)) known.set(target.id, target)
    return known
  }
}
