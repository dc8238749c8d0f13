import { inTransaction, type Tx } from '../../../db/database.ts'
import {
  alreadyTaken,
  invalid,
  invalidState,
  notFound,
  requireRecord,
} from '../../../kernel/errors.ts'
import { foldedColumn } from '../../../kernel/fold.ts'
import { newId, randomText } from '../../../kernel/ids.ts'
import { canonicalRange } from '../../../kernel/net.ts'
import { pagination } from '../../../kernel/page.ts'
import type { StoreContext } from '../../../store-context.ts'
import { storedEmail } from '../customers/index.ts'
import { partnerAppliedEvent } from './events.ts'
import * as q from './queries/index.ts'
import type {
  Application,
  NewPartner,
  Partner,
  PartnerLink,
  PartnerPatch,
  PartnerQuery,
  PartnerStatus,
  PartnerTotals,
} from './schema.ts'

const withLinkUrls = ({ publicUrl, store }: StoreContext, partner: q.StoredPartner): Partner => ({
  ...partner,
  links: partner.links.map((link) => ({
    ...link,
    url: `${publicUrl}/r/${store.slug}/${link.code}`,
  })),
})

export async function getPartner(
  context: StoreContext,
  id: string,
  db = context.db,
): Promise<Partner> {
  const scope = { storeId: context.store.id, now: context.now }
  return withLinkUrls(context, requireRecord(await q.selectPartner(db, scope, id), 'Partner'))
}

/** Returns the partners with one of these email addresses, for the export of a person's data. */
export async function readPartnersOf(
  context: StoreContext,
  emails: readonly string[],
): Promise<Partner[]> {
  const partners: Partner[] = []
  for (const id of await q.selectPartnerIds(context.db, context.store.id, emails))
    partners.push(await getPartner(context, id))
  return partners
}

export async function listPartners(context: StoreContext, query: PartnerQuery) {
  const scope = { storeId: context.store.id, now: context.now }
  const { records, total } = await q.selectPartners(context.db, scope, query)
  return {
    partners: records.map((partner) => withLinkUrls(context, partner)),
    pagination: pagination(query, total),
  }
}

export const readPartnerTotals = ({ db, store, now }: StoreContext): Promise<PartnerTotals> =>
  q.selectTotals(db, { storeId: store.id, now })

type NewPartnerRow = Pick<
  q.LockedPartner,
  'email' | 'name' | 'note' | 'commission_percent' | 'applied_ip' | 'status'
>

async function insertPartner(tx: Tx, context: StoreContext, row: NewPartnerRow): Promise<Partner> {
  const id = newId('par_', Date.parse(context.now))
  const source = { table: 'affiliate_partner' } as const
  const email = await storedEmail(tx, context.store.id, row.email, source)
  const isNew = await q.insertPartner(tx, context.store.id, {
    ...row,
    email,
    id,
    created_at: context.now,
  })
  if (!isNew) throw alreadyTaken('email', 'Another partner has this email. Use another one.')
  return getPartner(context, id, tx)
}

/** Creates an approved partner without an application. */
export const invitePartner = (context: StoreContext, body: NewPartner): Promise<Partner> =>
  inTransaction(context.db, (tx) =>
    insertPartner(tx, context, { ...body, applied_ip: null, status: 'approved' }),
  )

/** Records an application, which the seller must approve unless `auto_approve` is on. */
export function applyAsPartner(
  context: StoreContext,
  { ip, ...body }: Application,
): Promise<Partner> {
  return inTransaction(context.db, async (tx) => {
    const { public_signup, auto_approve } = await q.selectProgram(tx, context.store.id)
    if (!public_signup)
      throw invalidState(
        'closed',
        'The programme accepts no applications. Set public_signup to true.',
      )
    const status = auto_approve ? 'approved' : 'applied'
    const row = {
      ...body,
      commission_percent: null,
      applied_ip: ip && (canonicalRange(ip) ?? ip),
      status,
    } as const
    const partner = await insertPartner(tx, context, row)
    await context.emit(tx, [partnerAppliedEvent(partner)])
    return partner
  })
}

export function updatePartner(
  context: StoreContext,
  id: string,
  patch: PartnerPatch,
): Promise<Partner> {
  return changePartner(context, id, () => patch)
}

const PREVIOUS_STATUSES: Record<'approved' | 'rejected' | 'suspended', readonly PartnerStatus[]> = {
  approved: ['applied', 'rejected', 'suspended'],
  rejected: ['applied'],
  suspended: ['approved'],
}

/** Approves, rejects or suspends a partner. */
export function setPartnerStatus(
  context: StoreContext,
  id: string,
  status: keyof typeof PREVIOUS_STATUSES,
): Promise<Partner> {
  return changePartner(context, id, (before) => {
    if (PREVIOUS_STATUSES[status].includes(before.status)) return { status }
    throw invalidState(
      before.status,
      `The partner is ${before.status}; only these can become ${status}: ${PREVIOUS_STATUSES[status].join(', ')}.`,
    )
  })
}

function changePartner(
  context: StoreContext,
  id: string,
  patchOf: (before: q.LockedPartner) => PartnerPatch & { status?: PartnerStatus },
): Promise<Partner> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    const before = requireRecord(await q.lockPartner(tx, store.id, id), 'Partner')
    const patch = patchOf(before)
    context.audit.reportChange(before, patch)
    const { name = before.name } = patch
    const folded = foldedColumn(before.email, name)
    await q.updatePartner(tx, store.id, { ...patch, folded, id, now })
    return getPartner(context, id, tx)
  })
}

const CODE_LENGTH = 10
const LINKS_MAX = 100

export function createLink(
  context: StoreContext,
  id: string,
  { code = randomText(CODE_LENGTH).toLowerCase() }: { code?: string | undefined },
): Promise<PartnerLink> {
  const { store, now } = context
  return inTransaction(context.db, async (tx) => {
    requireRecord(await q.lockPartner(tx, store.id, id), 'Partner')
    if ((await q.countLinks(tx, store.id, id)) >= LINKS_MAX) {
      throw invalid('code', `A partner has at most ${LINKS_MAX} links. Delete one first.`)
    }
    const isNew = await q.insertLink(tx, store.id, { code, partner_id: id, created_at: now })
    if (!isNew) throw alreadyTaken('code', 'Another link has this code. Use another one.')
    // The body has no code if it was chosen here.
    context.audit.reportChange(null, { code })
    const { links } = await getPartner(context, id, tx)
    return requireRecord(
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
