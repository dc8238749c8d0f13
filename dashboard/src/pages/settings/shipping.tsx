import { storeRequest } from '../../api/action.ts'
import { allOf } from '../../api/all-of.ts'
import { type ShippingZone, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { WithCurrency } from '../../kit/currency.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { EmptyList, Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { State } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { common } from '../../text/common.ts'
import { shipping } from '../../text/shipping.ts'
import {
  destinationsText,
  isRestOfWorld,
  priceText,
  shipsToText,
  zoneBodyOf,
  zoneFields,
} from './shipping-parts.ts'
import { TestAddress } from './shipping-test.tsx'

export function Page() {
  const isAllowed = useMayWrite('fulfillment')
  const read = useRead(['shipping', 'zones'], ({ api }) => allOf(api.shipping.listZones()))
  return (
    <Frame
      title={shipping.title}
      lead={shipping.zonesLead}
      actions={isAllowed ? <NewZone /> : <NotAllowed area="fulfillment" />}
    >
      <ShippingTabs />
      <Loaded read={read}>
        {(zones) =>
          zones.length === 0 ? (
            <EmptyList
              firstStep={{
                ...(isAllowed && {
                  link: { to: '/settings/shipping#new', label: shipping.newZone },
                }),
                code: "await tradepost.shipping.createZone({ name: 'Germany', countries: ['DE'] })",
              }}
            >
              {shipping.empty}
            </EmptyList>
          ) : (
            <WithCurrency rows={6}>
              {(currency) => (
                <>
                  <Zones zones={zones} currency={currency} isAllowed={isAllowed} />
                  <TestAddress zones={zones} currency={currency} />
                </>
              )}
            </WithCurrency>
          )
        }
      </Loaded>
    </Frame>
  )
}

export const ShippingTabs = () => (
  <Tabs
    label={shipping.title}
    tabs={[
      { to: '/settings/shipping', label: shipping.zones },
      { to: '/settings/shipping/locations', label: shipping.locations },
    ]}
  />
)

interface ZonesProps {
  zones: readonly ShippingZone[]
  currency: string
  isAllowed: boolean
}

function Zones({ zones, currency, isAllowed }: ZonesProps) {
  // The rest of the world is the least specific zone at any position, so it is shown last.
  const namedZones = zones.filter((zone) => !isRestOfWorld(zone))
  const restOfWorld = zones.filter(isRestOfWorld)
  const restOfWorldIds = restOfWorld.map(({ id }) => id)
  const reorder = useReorder({
    ids: namedZones.map(({ id }) => id),
    request: (ids) =>
      storeRequest('shipping', 'reorderZones', { ids: [...ids, ...restOfWorldIds] }),
  })
  return (
    <>
      {reorder.status}
      {isAllowed && namedZones.length > 1 && <p className="secondary-text">{shipping.orderLead}</p>}
      <Table
        label={shipping.zones}
        rows={[...namedZones, ...restOfWorld]}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/settings/shipping/zones/${id}`}
        columns={[
          { label: common.name, show: ({ name }) => name },
          { label: shipping.countries, show: destinationsText },
          {
            label: shipping.rates,
            show: ({ rates }) =>
              rates.length === 0
                ? shipping.noRates
                : rates.map((rate) => (
                    <div key={rate.id}>
                      {rate.name}: {priceText(rate, currency)}
                    </div>
                  )),
          },
          {
            label: common.status,
            show: ({ active }) => (
              <State state={active ? 'on' : 'closed'}>{active ? shipping.on : shipping.off}</State>
            ),
          },
        ]}
        {...(isAllowed && {
          rowActions: (zone: ShippingZone) =>
            !isRestOfWorld(zone) && <MoveButtons id={zone.id} name={zone.name} reorder={reorder} />,
        })}
      />
    </>
  )
}

function NewZone() {
  return (
    <Action
      label={shipping.newZone}
      isPrimary
      fields={zoneFields()}
      submit={shipping.newZone}
      request={(values) => storeRequest('shipping', 'createZone', zoneBodyOf(values))}
      pageOf={(answer) => `/settings/shipping/zones/${(answer as { zone: ShippingZone }).zone.id}`}
    >
      {(values) => <p className="help">{shipsToText(values)}</p>}
    </Action>
  )
}
