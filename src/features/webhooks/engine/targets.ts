import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../../../db/database.ts'
import { selectChangedTargets, type Target, type VersionedTarget } from '../queries/claim.ts'

/**
 * Endpoints to send to. Each is asked for every time, so that a change counts at once, but what is
 * known of it, its secret above all, is sent by the database and opened only when it changed.
 */
export interface Targets {
  read(ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Target>>
  /** One that was read a while ago; those that are asked for together are read together. */
  readAgain(id: number): Promise<Target | undefined>
}

const KNOWN_MAX = 10_000

export function createTargets(db: Db, known_max = KNOWN_MAX): Targets {
  const known = new Map<number, VersionedTarget>()
  let gathered: { ids: Set<number>; read: Promise<ReadonlyMap<number, Target>> } | undefined

  async function read(ids: ReadonlySet<number>): Promise<ReadonlyMap<number, Target>> {
    if (known.size + ids.size > known_max) known.clear()
    // Taken before the question: while it is asked, another may clear what is known.
    const targets = new Map(
      [...ids].flatMap((id) => known.get(id) ?? []).map((item) => [item.id, item]),
    )
    const versions = new Map([...ids].map((id) => [id, targets.get(id)?.version ?? '']))
    for (const target of await selectChangedTargets(db, versions)) {
      targets.set(target.id, target)
      known.set(target.id, target)
    }
    return targets
  }

  function gather() {
    const ids = new Set<number>()
    const reading = nextTurn().then(() => {
      gathered = undefined
      return read(ids)
    })
    return { ids, read: reading }
  }

  return {
    read,
    async readAgain(id) {
      gathered ??= gather()
      gathered.ids.add(id)
      return (await gathered.read).get(id)
    },
  }
}
