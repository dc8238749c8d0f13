import { storeRequest } from '../../api/action.ts'
import type { Location, LocationInput } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { Consequence } from '../../kit/consequence.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State } from '../../kit/show.tsx'
import { NotAllowed } from '../../kit/states.tsx'
import { NAME_MAX } from '../../kit/text-limits.ts'
import { textOrNull } from '../../kit/values.ts'
import { countryCodes, countryName } from '../../kit/words.ts'
import { addresses } from '../../text/addresses.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { shipping } from '../../text/shipping.ts'
import { ShippingTabs } from './shipping.tsx'

const addressOf = ({ line1, line2, postal_code, city, region, country }: Location): string =>
  [line1, line2, [postal_code, city].filter(Boolean).join(' '), region, countryName(country)]
    .filter(Boolean)
    .join(', ')

const COLUMNS: readonly Column<Location>[] = [
  { label: common.name, show: ({ name }) => name, text: ({ name }) => name },
  { label: addresses.title, show: addressOf, text: addressOf },
  {
    label: common.status,
    show: ({ active, is_default }) => (
      <>
        <State state={active ? 'on' : 'closed'}>{active ? shipping.on : shipping.off}</State>{' '}
        {is_default && <State state="closed">{shipping.isDefault}</State>}
      </>
    ),
    text: ({ active, is_default }) =>
      [active ? shipping.on : shipping.off, is_default && shipping.isDefault]
        .filter(Boolean)
        .join(', '),
  },
]

export function Page() {
  const isAllowed = useMayWrite('fulfillment')
  return (
    <Frame
      title={shipping.title}
      lead={shipping.locationsLead}
      actions={isAllowed ? <NewAction /> : <NotAllowed area="fulfillment" />}
    >
      <ShippingTabs />
      <List<Location>
        queryKey={['shipping', 'locations']}
        label={shipping.locations}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={shipping.noLocations}
        firstStep={{
          ...(isAllowed && {
            link: { to: '/settings/shipping/locations#new', label: shipping.newLocation },
          }),
          code: "await tradepost.shipping.createLocation({ name: 'Depot', line1: 'Hafenstr. 1', city: 'Hamburg', country: 'DE' })",
        }}
        read={async ({ api }, query) => {
          const page = await api.shipping.listLocations(query)
          return { rows: page.locations, ...page.pagination }
        }}
        {...(isAllowed && {
          rowActions: (location: Location) => (
            <>
              <Edit location={location} /> <Remove location={location} />
            </>
          ),
        })}
      />
    </Frame>
  )
}

const fieldsOf = (location?: Location): readonly Field[] => [
  { name: 'name', label: common.name, required: true, maxLength: NAME_MAX, value: location?.name },
  { name: 'line1', label: addresses.line1, required: true, value: location?.line1 },
  { name: 'line2', label: addresses.line2, value: location?.line2 },
  { name: 'postal_code', label: addresses.postalCode, value: location?.postal_code },
  { name: 'city', label: addresses.city, required: true, value: location?.city },
  { name: 'region', label: addresses.region, value: location?.region },
  { name: 'country', label: addresses.country, required: true, value: location?.country },
  { name: 'phone', label: addresses.phone, value: location?.phone },
  { name: 'active', label: shipping.active, type: 'checkbox', value: location?.active ?? true },
  {
    name: 'is_default',
    label: shipping.isDefault,
    type: 'checkbox',
    value: location?.is_default ?? false,
  },
]

const locationBodyOf = (values: FormValues): LocationInput => ({
  name: String(values.name ?? ''),
  line1: String(values.line1 ?? ''),
  line2: textOrNull(values.line2),
  postal_code: textOrNull(values.postal_code),
  city: String(values.city ?? ''),
  region: textOrNull(values.region),
  country: countryCodes(values.country)[0] ?? '',
  phone: textOrNull(values.phone),
  active: values.active === true,
  is_default: values.is_default === true,
})

const NewAction = () => (
  <Action
    label={shipping.newLocation}
    isPrimary
    fields={fieldsOf()}
    submit={shipping.newLocation}
    request={(values) => storeRequest('shipping', 'createLocation', locationBodyOf(values))}
  />
)

const Edit = ({ location }: { location: Location }) => (
  <EditAction
    label={common.edit}
    title={location.name}
    record={location}
    read={async ({ api }) => (await api.shipping.getLocation(location.id)).location}
    fields={fieldsOf}
    request={(changed) => {
      const fields = Object.entries(locationBodyOf(changed)).filter(([name]) => name in changed)
      return storeRequest('shipping', 'updateLocation', location.id, Object.fromEntries(fields))
    }}
  />
)

const Remove = ({ location }: { location: Location }) => (
  <Action
    label={common.delete}
    title={shipping.deleteLocation}
    isDanger
    lead={
      <>
        <p>{fill(shipping.deleteLocationLead, { name: location.name })}</p>
        <Consequence
          queryKey={['shipping', 'locations']}
          read={async ({ api }) =>
            (await api.shipping.listLocations({ limit: 1 })).pagination.total
          }
        >
          {(total) => fill(shipping.otherLocations, { n: formatNumber(total - 1) })}
        </Consequence>
      </>
    }
    submit={shipping.deleteLocation}
    request={() => storeRequest('shipping', 'deleteLocation', location.id)}
    undo={() => ({
      text: fill(common.deleted, { name: location.name }),
      request: storeRequest('shipping', 'createLocation', locationBodyOf({ ...location })),
    })}
  />
)
