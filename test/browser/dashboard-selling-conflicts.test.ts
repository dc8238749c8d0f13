import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '../harness.ts'
import { type OpenedDashboard, openDashboard } from './dashboard-harness.ts'
import { createSellingRecords, type RecordIds } from './selling-records.ts'

let dashboard: OpenedDashboard
let ask: OpenedDashboard['ask']
let ids: RecordIds

beforeAll(async () => {
  dashboard = await openDashboard()
  ask = dashboard.ask
  // Marking a payout as sent needs a recent password.
  await dashboard.setPassword('correct horse battery staple')
  ids = await createSellingRecords(dashboard)
})
afterAll(() => dashboard?.close())

const pathOf = (path: string) => path.replace(/\$(\w+)/g, (_, name) => String(ids[name]))

interface Edit {
  path: string
  /** The row of the button; the whole page if undefined. */
  row?: string
  button: string
  field: string
  mine: string
  theirs: string
  /** The operation that changes the value, and the field of its body. */
  change: (value: string) => [method: string, path: string, body: Json]
  /** The value in the answer of the record. */
  valueIn: (answer: Json) => unknown
  /** The path of the record, if it is not that of the change. */
  record?: string
}

/** A form of each record that can be edited. Number fields have numbers as values. */
const EDITS: readonly Edit[] = [
  {
    path: '/orders/$order',
    ...{ button: 'Edit note', field: 'Note', mine: 'Call Mara', theirs: 'Write to Mara' },
    change: (note) => ['PATCH', '/orders/$order', { note }],
    valueIn: ({ order }: Json) => order.note,
  },
  {
    path: '/customers/$customer',
    ...{ button: 'Edit', field: 'Name', mine: 'Mara M.', theirs: 'Mara Meier' },
    change: (name) => ['PATCH', '/customers/$customer', { name }],
    valueIn: ({ customer }: Json) => customer.name,
  },
  {
    path: '/blocklist',
    row: 'thief@example.com',
    ...{ button: 'Edit', field: 'Reason', mine: 'Stolen', theirs: 'Reported' },
    change: (reason) => ['PATCH', '/blocklist/$entry', { reason }],
    valueIn: ({ blocklist_entry }: Json) => blocklist_entry.reason,
  },
  {
    path: '/affiliates/partners/$partner',
    ...{ button: 'Edit', field: 'Note', mine: 'Met in Berlin', theirs: 'Met in Rome' },
    change: (note) => ['PATCH', '/affiliates/partners/$partner', { note }],
    valueIn: ({ partner }: Json) => partner.note,
  },
  {
    path: '/affiliates/program',
    button: 'Change the rules',
    field: 'Days for which a click is remembered (required)',
    ...{ mine: '40', theirs: '50' },
    change: (value) => ['PATCH', '/affiliates/program', { cookie_days: Number(value) }],
    valueIn: ({ program }: Json) => program.cookie_days,
  },
  {
    path: '/reviews/$review',
    ...{
      button: 'Change the reply',
      field: 'Your reply (required)',
      mine: 'Thank you',
      theirs: 'Thanks',
    },
    change: (reply) => ['PUT', '/reviews/$review/reply', { reply }],
    valueIn: ({ review }: Json) => review.reply,
    record: '/reviews/$review',
  },
  {
    path: '/products/$game',
    ...{ button: 'Edit', field: 'Name (required)', mine: 'Space Game 2', theirs: 'Space Race' },
    change: (name) => ['PATCH', '/products/$game', { name }],
    valueIn: ({ product }: Json) => product.name,
  },
  {
    path: '/products/$mug/variants',
    row: 'White',
    ...{ button: 'Edit', field: 'SKU', mine: 'MUG-1', theirs: 'MUG-2' },
    change: (sku) => ['PATCH', '/products/$mug/variants/$white', { sku }],
    valueIn: ({ variant }: Json) => variant.sku,
  },
  {
    path: '/products/$mug/media',
    ...{ button: 'Describe', field: 'Text for people who cannot see the picture' },
    ...{ mine: 'A white mug', theirs: 'A mug' },
    change: (alt) => ['PATCH', '/products/$mug/media/$picture', { meta: { alt } }],
    valueIn: ({ media }: Json) => media[0].meta.alt,
    record: '/products/$mug/media',
  },
  {
    path: '/products/$mug/delivery',
    ...{ button: 'Edit', field: 'Message on delivery', mine: 'Enjoy', theirs: 'Have fun' },
    change: (text) => ['PATCH', '/products/$mug', { details: { delivered_message: text } }],
    valueIn: ({ details }: Json) => details.delivered_message,
  },
  {
    path: '/products/$mug/delivery',
    ...{ button: 'Set dimensions', field: 'Length in cm', mine: '12', theirs: '13' },
    change: (value) => [
      'PUT',
      '/products/$mug/variants/$white/shipping-dimensions',
      { length_cm: Number(value), width_cm: null, height_cm: null },
    ],
    valueIn: ({ shipping_dimensions }: Json) => shipping_dimensions.length_cm,
  },
  {
    path: '/products/$mug/seo',
    ...{ button: 'Edit', field: 'Title for search engines', mine: 'A mug', theirs: 'The mug' },
    change: (meta_title) => ['PATCH', '/products/$mug/seo', { meta_title }],
    valueIn: ({ seo }: Json) => seo.meta_title,
  },
  {
    path: '/products/$mug/stock',
    ...{ button: 'Set threshold', field: 'Stock', mine: '3', theirs: '4' },
    change: (value) => [
      'PATCH',
      '/products/$mug/stock-alerts',
      { stock_alert_threshold: Number(value) },
    ],
    valueIn: ({ product }: Json) => product.stock_alert_threshold,
    record: '/products/$mug',
  },
  {
    path: '/products/$set/contents',
    row: 'Space Game',
    ...{ button: 'Change quantity', field: 'Quantity (required)', mine: '2', theirs: '3' },
    change: (value) => [
      'PUT',
      '/products/$set/bundle',
      {
        items: [ids.pool, ids.white].map((variant_id) => ({ variant_id, quantity: Number(value) })),
      },
    ],
    valueIn: ({ bundle }: Json) => bundle.items[0].quantity,
  },
  {
    path: '/products/$club/billing',
    ...{ button: 'Edit', field: 'Trial in days (required)', mine: '7', theirs: '14' },
    change: (value) => [
      'PUT',
      '/products/$club/billing',
      { billing_cycle: 'monthly', trial_days: Number(value) },
    ],
    valueIn: ({ billing }: Json) => billing.trial_days,
  },
  {
    path: '/categories/$category',
    ...{ button: 'Edit', field: 'Name (required)', mine: 'Cooking', theirs: 'Dining' },
    change: (name) => ['PATCH', '/categories/$category', { name }],
    valueIn: ({ category }: Json) => category.name,
  },
  {
    path: '/groups/$group',
    ...{ button: 'Edit', field: 'Name (required)', mine: 'Gifts', theirs: 'Surprises' },
    change: (name) => ['PATCH', '/groups/$group', { name }],
    valueIn: ({ group }: Json) => group.name,
  },
  {
    path: '/coupons/$coupon',
    ...{ button: 'Edit', field: 'Percent off (required)', mine: '20', theirs: '15' },
    change: (value) => ['PATCH', '/coupons/$coupon', { discount_percent: Number(value) }],
    valueIn: ({ coupon }: Json) => coupon.discount_percent,
  },
]

describe('a record that another user changed while its form is open', () => {
  test.each(EDITS)('$path, $button: shows both values, and the user decides', async (edit) => {
    const { row, button, field, mine, theirs, change, valueIn } = edit
    const [method, path] = change(mine)
    const storedValue = async () => String(valueIn(await ask('GET', pathOf(edit.record ?? path))))
    const page = await dashboard.context.newPage()
    const dialog = page.getByRole('dialog')
    /** Types my value while another user saves a different one, and waits for the view of both. */
    const createConflict = async (other: string) => {
      await dashboard.goTo(page, pathOf(edit.path))
      const main = page.locator('main')
      const scope = row === undefined ? main : main.locator('tr', { hasText: row })
      await scope.getByRole('button', { name: button, exact: true }).first().click()
      await dialog.getByLabel(field, { exact: true }).fill(mine)
      await ask(method, pathOf(path), change(other)[2])
      await dialog.getByRole('button', { name: submitOf(button) }).click()
      await dialog.getByRole('row', { name: new RegExp(`${mine}.*${other}`) }).waitFor()
      await dialog.getByText(/^A program with the API key “.+” changed this/).waitFor()
    }
    await createConflict(theirs)
    await dialog.getByRole('button', { name: 'Take theirs' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('main').textContent()).toContain(theirs)
    expect(await storedValue()).toBe(theirs)
    await createConflict(
      Number.isNaN(Number(theirs)) ? `${theirs}, too` : String(Number(theirs) + 1),
    )
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await storedValue()).toBe(mine)
    await page.close()
  })
})

/** The verb on the button of the form. */
const submitOf = (button: string) => new RegExp(`^(Save|Publish changes|${button}|Set billing)$`)

interface StaleAction {
  path: string
  button: string

  /** The change of another user that makes the action impossible. */
  meanwhile: [method: string, path: string, body?: Json]
  /** A text that only the page of the changed record shows. */
  textAfter: string
}

/** Actions that a change of another user makes impossible after the page was loaded. */
const STALE_ACTIONS: readonly StaleAction[] = [
  {
    ...{ path: '/returns/$return', button: 'Approve', textAfter: 'Rejected' },
    meanwhile: ['POST', '/returns/$return/reject', {}],
  },
  {
    ...{ path: '/affiliates/payouts/$payout', button: 'Mark as sent', textAfter: 'Rejected' },
    meanwhile: ['POST', '/affiliates/payouts/$payout/reject', {}],
  },
  {
    ...{ path: '/tickets/$ticket', button: 'Close ticket', textAfter: 'Open again' },
    meanwhile: ['POST', '/tickets/$ticket/close', {}],
  },
]

test.each(STALE_ACTIONS)(
  '$path, $button: an action that a change of another user made impossible shows the reason, and the page shows the changed record',
  async ({ path, button, meanwhile: [method, operation, body], textAfter }) => {
    await dashboard.on(pathOf(path), async (page) => {
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: button, exact: true }).click()
      await dialog.waitFor()
      await ask(method, pathOf(operation), body)
      // A live update may close the dialog first. Then a notice gives the reason.
      await dialog.locator('button[type=submit]').evaluateAll((buttons) => {
        for (const submit of buttons) (submit as unknown as Json).click()
      })
      const refusal = dialog.locator('.failure')
      await refusal.or(page.getByText('is not possible any more')).first().waitFor()
      await page.keyboard.press('Escape')
      await page.locator('main').getByText(textAfter).first().waitFor()
    })
  },
)

test('a dialog closes with a notice if a live update removes its action', async () => {
  await dashboard.on(pathOf('/orders/$unpaid'), async (page) => {
    await page.getByRole('button', { name: 'Cancel order', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await ask('POST', pathOf('/orders/$unpaid/manual-payments'), {})
    await page.getByText('“Cancel order” is not possible any more').waitFor()
    await page.locator('.stamp', { hasText: 'Completed' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
