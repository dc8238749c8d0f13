import { storeRequest } from '../../api/action.ts'
import { allOf } from '../../api/all-of.ts'
import { type ShippingZone, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useCurrency } from '../../kit/currency.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { useGo } from '../../kit/link.tsx'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { State } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { common } from '../../text/common.ts'
import { shipping } from '../../text/shipping.ts'
import { goesTo, isRest, placesOf, priceText, zoneFields, zoneOf } from './shipping-parts.ts'
import { TestAddress } from './shipping-test.tsx'

export function Page() {
  const isAllowed = useMayWrite('fulfillment')
  const currency = useCurrency()
  const read = useRead(['shipping', 'zones'], ({ api }) => allOf(api.shipping.listZones()))
  return (
    <Frame
      title={shipping.title}
      lead={shipping.zonesLead}
      actions={isAllowed ? <NewZone /> : <span className="quiet">{common.notAllowed}</span>}
    >
      <ShippingTabs />
      <Loaded read={read}>
        {(zones) =>
          zones.length === 0 || !currency ? (
            <Empty>{shipping.empty}</Empty>
          ) : (
            <>
              <Zones zones={zones} currency={currency} isAllowed={isAllowed} />
              <TestAddress zones={zones} currency={currency} />
            </>
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
  // The rest of the world fits worst at any position, so it is shown last.
  const named = zones.filter((zone) => !isRest(zone))
  const rest = zones.filter(isRest)
  const restIds = rest.map(({ id }) => id)
  const reorder = useReorder({
    ids: named.map(({ id }) => id),
    request: (ids) => storeRequest('shipping', 'reorderZones', { ids: [...ids, ...restIds] }),
  })
  return (
    <>
      {reorder.status}
      {isAllowed && named.length > 1 && <p className="quiet">{shipping.orderLead}</p>}
      <Table
        label={shipping.zones}
        rows={[...named, ...rest]}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/settings/shipping/zones/${id}`}
        columns={[
          { label: common.name, show: ({ name }) => name },
          { label: shipping.countries, show: placesOf },
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
            !isRest(zone) && <MoveButtons id={zone.id} name={zone.name} reorder={reorder} />,
        })}
      />
    </>
  )
}

function NewZone() {
  const go = useGo()
  return (
    <Action
      label={shipping.newZone}
      isPrimary
      fields={zoneFields()}
      submit={shipping.newZone}
      request={(values) => storeRequest('shipping', 'createZone', zoneOf(values))}
      onDone={(answer) =>
        go(`/settings/shipping/zones/${(answer as { zone: ShippingZone }).zone.id}`)
      }
    >
      {(values) => <p className="help">{goesTo(values)}</p>}
    </Action>
  )
}
