import { inTransaction, type Tx } from '../../../db/database.ts'
import { alreadyTaken, found, invalid, invalidState, notFound } from '../../../kernel/errors.ts'
import { newId, randomText } from '../../../kernel/ids.ts'
import { canonicalRange } from '../../../kernel/net.ts'
import { type Pagination, pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { asApplied } from './events.ts'
import * as q from './queries/partners.ts'
import { selectPartnerIds } from './queries/persons.ts'
import { selectProgram } from './queries/program.ts'
import type {
  Application,
  Link,
  NewPartner,
  Partner,
  PartnerPatch,
  PartnerQuery,
  PartnerStatus,
} from './schema.ts'

type Stored = NonNullable<Awaited<ReturnType<typeof q.selectPartner>>>

const withUrls = ({ publicUrl, store }: StoreContext, partner: Stored): Partner => ({
  ...partner,
  links: partner.links.map((link) => ({
    ...link,
    url: `${publicUrl}/r/${store.slug}/${link.code}`,
  })),
})

export async function getPartner(context: StoreContext, id: string): Promise<Partner> {
  return partnerOn(context.db, context, id)
}

async function partnerOn(db: StoreContext['db'], context: StoreContext, id: string) {
  const at = { storeId: context.store.id, now: context.now }
  return withUrls(context, found(await q.selectPartner(db, at, id), 'Partner'))
}

/** The partners with one of these addresses, for the export of a person's data. */
export async function readPartnersOf(
  context: StoreContext,
  emails: readonly string[],
): Promise<Partner[]> {
  const partners: Partner[] = []
  for (const id of await selectPartnerIds(context.db, context.store.id, emails))
    partners.push(await partnerOn(context.db, context, id))
  return partners
}

export async function listPartners(
  context: StoreContext,
  query: PartnerQuery,
): Promise<{ partners: Partner[]; pagination: Pagination }> {
  const at = { storeId: context.store.id, now: context.now }
  const { partners, total } = await q.selectPartners(context.db, at, query)
  return {
    partners: partners.map((partner) => withUrls(context, partner)),
    pagination: pagination(query, total),
  }
}

type NewRow = Pick<
  q.LockedPartner,
  'email' | 'name' | 'note' | 'commission_percent' | 'applied_ip' | 'status'
>

async function insert(tx: Tx, context: StoreContext, row: NewRow): Promise<Partner> {
  const id = newId('par_', Date.parse(context.now))
  const isNew = await q.insertPartner(tx, context.store.id, {
    ...row,
    id,
    created_at: context.now,
  })
  if (!isNew) throw alreadyTaken('email', 'Another partner has this email.')
  return partnerOn(tx, context, id)
}

/** Creates a partner who is approved at once. */
export const invitePartner = (context: StoreContext, body: NewPartner): Promise<Partner> =>
  inTransaction(context.db, (tx) =>
    insert(tx, context, { ...body, applied_ip: null, status: 'approved' }),
  )

/** Records an application. Unless the programme approves it at once, it waits for the seller. */
export function applyAsPartner(
  context: StoreContext,
  { ip, ...body }: Application,
): Promise<Partner> {
  return inTransaction(context.db, async (tx) => {
    const { public_signup, auto_approve } = await selectProgram(tx, context.store.id)
    if (!public_signup)
      throw invalidState(
        'closed',
        'The programme takes no applications. Set public_signup to true.',
      )
    const status = auto_approve ? 'approved' : 'applied'
    const row = {
      ...body,
      commission_percent: null,
      applied_ip: ip && (canonicalRange(ip) ?? ip),
      status,
    } as const
    const partner = await insert(tx, context, row)
    await context.emit(tx, [asApplied(partner)])
    return partner
  })
}

export function updatePartner(
  context: StoreContext,
  id: string,
  patch: PartnerPatch,
): Promise<Partner> {
  return change(context, id, () => patch)
}

const FROM: Record<'approved' | 'rejected' | 'suspended', readonly PartnerStatus[]> = {
  approved: ['applied', 'rejected', 'suspended'],
  rejected: ['applied'],
  suspended: ['approved'],
}

/** Approves, rejects or suspends a partner. */
export function setPartnerStatus(
  context: StoreContext,
  id: string,
  status: keyof typeof FROM,
): Promise<Partner> {
  return change(context, id, (before) => {
    if (FROM[status].includes(before.status)) return { status }
    throw invalidState(
      before.status,
      `The partner is ${before.status}; only these can become ${status}: ${FROM[status].join(', ')}.`,
    )
  })
}

function change(
  context: StoreContext,
  id: string,
  patchOf: (before: q.LockedPartner) => PartnerPatch & { status?: PartnerStatus },
): Promise<Partner> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = found(await q.lockPartner(tx, store.id, id), 'Partner')
    const patch = patchOf(before)
    context.audit.changed(before, patch)
    await q.updatePartner(tx, store.id, { ...patch, id, now })
    return partnerOn(tx, context, id)
  })
}

const CODE_LENGTH = 10
const LINKS_MAX = 100

export function createLink(
  context: StoreContext,
  id: string,
  { code = randomText(CODE_LENGTH).toLowerCase() }: { code?: string | undefined },
): Promise<Link> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    found(await q.lockPartner(tx, store.id, id), 'Partner')
    if ((await q.countLinks(tx, store.id, id)) >= LINKS_MAX) {
      throw invalid('code', `A partner has at most ${LINKS_MAX} links. Delete one first.`)
    }
    const isNew = await q.insertLink(tx, store.id, { code, partner_id: id, created_at: now })
    if (!isNew) throw alreadyTaken('code', 'Another link has this code.')
    const { links } = await partnerOn(tx, context, id)
    return found(
      links.find((link) => link.code === code),
      'Link',
    )
  })
}

export function deleteLink(context: StoreContext, code: string) {
  return inTransaction(context.db, async (tx) => {
    if (!(await q.deleteLink(tx, context.store.id, code))) throw notFound('Link')
    return { deleted: true as const, code }
  })
}
