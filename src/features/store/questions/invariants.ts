import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const questionInvariants: readonly Invariant[] = [
  invariantOf(
    'answers_are_counted',
    'The number of answers that is stored with a question is correct.',
    sql`
      select q.store_id, q.id
        from question q
        left join question_answer a on a.store_id = q.store_id and a.question_id = q.id
       group by q.store_id, q.id
      having q.answers <> count(a.id)`,
  ),
]
