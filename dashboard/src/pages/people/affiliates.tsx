import { storeRequest } from '../../api/action.ts'
import {
  type AffiliateConversion,
  type AffiliatesListConversionsQuery,
  useRead,
} from '../../api/store.ts'
import { firstStep } from '../../kit/first-step.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { List, useSearch } from '../../kit/list.tsx'
import { affiliates } from '../../text/affiliates.ts'
import { fill } from '../../text/catalogue.ts'
import { CONVERSION_COLUMNS, PARTNER_COLUMN, ReviewActions } from './affiliates-conversions.tsx'
import { AffiliatesFrame, WhileProgramIsOn } from './affiliates-frame.tsx'

/** The last characters of the id of an order, which differ between orders. */
const ID_SHOWN = 8

const COLUMNS = [
  {
    label: affiliates.order,
    show: ({ invoice_id }: AffiliateConversion) => (
      <code title={invoice_id}>…{invoice_id.slice(-ID_SHOWN)}</code>
    ),
    text: ({ invoice_id }: AffiliateConversion) => invoice_id,
  },
  PARTNER_COLUMN,
  ...CONVERSION_COLUMNS,
]

const STATUSES = ['all', 'valid', 'flagged', 'rejected'] as const

export const Page = () => (
  <AffiliatesFrame title={affiliates.title}>
    <WhileProgramIsOn>
      <Conversions />
    </WhileProgramIsOn>
  </AffiliatesFrame>
)

function Conversions() {
  const [search] = useSearch()
  const isAllowed = useMayWrite('affiliates')
  const status = STATUSES.find((item) => item === search.status) ?? 'all'
  return (
    <>
      <Counts status={status} />
      <List
        queryKey={['affiliates', 'conversions', status]}
        label={affiliates.conversions}
        columns={COLUMNS}
        keyOf={({ invoice_id }) => invoice_id}
        hrefOf={({ invoice_id }) => `/orders/${invoice_id}`}
        filters={[{ name: 'partner_id', label: affiliates.partnerId }]}
        empty={status === 'all' ? affiliates.noConversions : affiliates.noneOfThese}
        firstStep={firstStep(storeRequest('affiliates', 'createLink', 'PARTNER', { code: 'ada' }), {
          to: '/affiliates/partners',
          label: affiliates.partners,
        })}
        read={async ({ api }, { partner_id, cursor }) => {
          const page = await api.affiliates.listConversions({
            status,
            ...(partner_id !== undefined && { partner_id: String(partner_id) }),
            ...(cursor !== undefined && { cursor: Number(cursor) }),
          })
          return { rows: page.conversions, next_cursor: page.next_cursor }
        }}
        {...(isAllowed && {
          rowActions: (conversion: AffiliateConversion) => (
            <ReviewActions conversion={conversion} />
          ),
        })}
      />
    </>
  )
}

/** Tabs for the states of conversions, each with its count. */
function Counts({ status: open }: { status: (typeof STATUSES)[number] }) {
  const [search, setSearch] = useSearch()
  const { partner_id } = search
  const filter: AffiliatesListConversionsQuery = partner_id === undefined ? {} : { partner_id }
  const read = useRead(
    ['affiliates', 'conversions', 'counts', filter],
    async ({ api }) => (await api.affiliates.listConversions(filter)).counts,
  )
  const labelOf = (status: (typeof STATUSES)[number]) =>
    fill(affiliates[`${status}Count`], {
      n: read.data === undefined ? '' : formatNumber(read.data[status]),
    }).trim()
  return (
    <div className="views">
      {STATUSES.map((status) => (
        <button
          type="button"
          key={status}
          aria-pressed={status === open}
          onClick={() =>
            setSearch({
              ...(status !== 'all' && { status }),
              ...(partner_id !== undefined && { partner_id }),
            })
          }
        >
          {labelOf(status)}
        </button>
      ))}
    </div>
  )
}
