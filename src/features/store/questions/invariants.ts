import { sql } from 'kysely'
import { breaking, type Invariant } from '../../../db/invariant.ts'

export const questionInvariants: readonly Invariant[] = [
  breaking(
    'answers_are_counted',
    'A question counts its answers, and was answered at the time of the first one.',
    sql`
      select q.store_id, q.id
        from question q
        left join question_answer a on a.store_id = q.store_id and a.question_id = q.id
       group by q.store_id, q.id
      having q.answers <> count(a.id)`,
  ),
]
