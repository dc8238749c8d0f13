import { storeRequest } from '../../api/action.ts'
import type { Location, NewLocation } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import type { Field, Typed } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { State } from '../../kit/show.tsx'
import { countryName } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { shipping } from '../../text/shipping.ts'
import { ShippingTabs } from './shipping.tsx'
import { countryCodes } from './shipping-parts.ts'

const addressOf = ({ line1, line2, postal_code, city, region, country }: Location): string =>
  [line1, line2, [postal_code, city].filter(Boolean).join(' '), region, countryName(country)]
    .filter(Boolean)
    .join(', ')

const COLUMNS: readonly Column<Location>[] = [
  { label: common.name, show: ({ name }) => name, text: ({ name }) => name },
  { label: shipping.address, show: addressOf, text: addressOf },
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
      actions={isAllowed ? <LocationAction /> : <span className="quiet">{common.notAllowed}</span>}
    >
      <ShippingTabs />
      <List<Location>
        name={['shipping', 'locations']}
        label={shipping.locations}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={shipping.noLocations}
        read={async ({ api }, query) => {
          const page = await api.shipping.listLocations(query)
          return { rows: page.locations, ...page.pagination }
        }}
        {...(isAllowed && {
          rowActions: (location: Location) => (
            <>
              <LocationAction of={location} /> <Remove of={location} />
            </>
          ),
        })}
      />
    </Frame>
  )
}

const fieldsOf = (of?: Location): readonly Field[] => [
  { name: 'name', label: common.name, required: true, value: of?.name },
  { name: 'line1', label: shipping.line1, required: true, value: of?.line1 },
  { name: 'line2', label: shipping.line2, value: of?.line2 },
  { name: 'postal_code', label: shipping.postalCode, value: of?.postal_code },
  { name: 'city', label: shipping.city, required: true, value: of?.city },
  { name: 'region', label: shipping.region, value: of?.region },
  { name: 'country', label: shipping.country, required: true, value: of?.country },
  { name: 'phone', label: shipping.phone, value: of?.phone },
  { name: 'active', label: shipping.active, type: 'checkbox', value: of?.active ?? true },
  {
    name: 'is_default',
    label: shipping.isDefault,
    type: 'checkbox',
    value: of?.is_default ?? false,
  },
]

const textOf = (value: unknown) => (value === undefined ? null : String(value))

const locationOf = (values: Typed): NewLocation => ({
  name: String(values.name ?? ''),
  line1: String(values.line1 ?? ''),
  line2: textOf(values.line2),
  postal_code: textOf(values.postal_code),
  city: String(values.city ?? ''),
  region: textOf(values.region),
  country: countryCodes(values.country)[0] ?? '',
  phone: textOf(values.phone),
  active: values.active === true,
  is_default: values.is_default === true,
})

const LocationAction = ({ of }: { of?: Location }) => (
  <Action
    label={of ? common.edit : shipping.newLocation}
    title={of?.name ?? shipping.newLocation}
    isPrimary={!of}
    fields={fieldsOf(of)}
    submit={of ? common.save : shipping.newLocation}
    request={(values) =>
      of
        ? storeRequest('shipping', 'updateLocation', of.id, locationOf(values))
        : storeRequest('shipping', 'createLocation', locationOf(values))
    }
  />
)

const Remove = ({ of: { id, name } }: { of: Location }) => (
  <Action
    label={common.delete}
    title={shipping.deleteLocation}
    isDanger
    lead={<p>{fill(shipping.deleteLocationLead, { name })}</p>}
    submit={shipping.deleteLocation}
    request={() => storeRequest('shipping', 'deleteLocation', id)}
  />
)
