import { sql } from 'kysely'
import { type Invariant, invariantOf } from '../../../db/invariant.ts'

export const userInvariants: readonly Invariant[] = [
  invariantOf(
    'teams_have_both_sides',
    'A user has the same role on the live side and on the test side of a store.',
    sql`
      select s.id, r.user_id
        from store s
        join store_role r on r.store_id = s.id
        join store o on o.slug = s.slug and o.livemode <> s.livemode
        left join store_role t on t.store_id = o.id and t.user_id = r.user_id
       where t.role is distinct from r.role`,
  ),
  invariantOf(
    'teams_have_owners',
    'A store that has a team has an owner.',
    sql`
      select store_id from store_role
       group by store_id
      having count(*) filter (where role = 'owner') = 0`,
    'Run `tradepost users create --email E --role owner --store HASH`.',
  ),
  invariantOf(
    'recovery_codes_need_totp',
    'Only users with an authenticator app have recovery codes.',
    sql`
      select id from dashboard_user
       where totp_enabled_at is null and cardinality(recovery_hashes) > 0`,
  ),
]
