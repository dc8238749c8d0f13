import { type RawBuilder, sql } from 'kysely'

const USER = sql`insert into dashboard_user (email, name, created_at)
                 values ('fault@example.com', 'Fault', now()) returning id`

/** Faults in users and their roles. */
export const USER_FAULTS: [invariant: string, fault: string, statements: RawBuilder<unknown>[]][] =
  [
    [
      'teams_have_both_sides',
      'a role on only the live side',
      [
        sql`with u as (${USER})
          insert into store_role (store_id, user_id, role, created_at)
          select (select min(id) from store where livemode), id, 'owner', now() from u`,
      ],
    ],
    [
      'teams_have_owners',
      'a team without an owner',
      [
        sql`with u as (${USER})
          insert into store_role (store_id, user_id, role, created_at)
          select s.id, u.id, 'viewer', now()
            from u, store s
           where s.slug = (select slug from store order by id limit 1)`,
      ],
    ],
    [
      'recovery_codes_need_totp',
      'recovery codes without an authenticator app',
      [
        sql`insert into dashboard_user (email, name, recovery_hashes, created_at)
          values ('fault@example.com', 'Fault', array['\\x01'::bytea], now())`,
      ],
    ],
  ]
