import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import { type ShippingRate, type ShippingZone, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useCurrency } from '../../kit/currency.tsx'
import { EditAction } from '../../kit/edit-action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Table } from '../../kit/list.tsx'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { Raw, Section, State } from '../../kit/show.tsx'
import { Empty, Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { shipping } from '../../text/shipping.ts'
import {
  countriesText,
  daysText,
  isRestOfWorld,
  keepRates,
  priceText,
  ratesRequest,
  shipsToText,
  zoneChange,
  zoneFields,
} from './shipping-parts.ts'
import { DeleteRate, EditRate, NewRate } from './shipping-rate.tsx'
import { TestAddress } from './shipping-test.tsx'

export function Page() {
  const params = useParams({ strict: false }) as { id?: string }
  const id = Number(params.id)
  const isAllowed = useMayWrite('fulfillment')
  const currency = useCurrency()
  const read = useRead(
    ['shipping', 'zones', id],
    async ({ api }) => (await api.shipping.getZone(id)).zone,
  )
  return (
    <Loaded read={read}>
      {(zone) => (
        <Frame
          title={zone.name}
          parent={{ to: '/settings/shipping', label: shipping.title }}
          lead={
            <>
              {countriesText(zone.countries)}{' '}
              <State state={zone.active ? 'on' : 'closed'}>
                {zone.active ? shipping.on : shipping.off}
              </State>
            </>
          }
          actions={isAllowed ? <Actions zone={zone} /> : <NotAllowed area="fulfillment" />}
        >
          {currency && (
            <>
              <Rates zone={zone} currency={currency} isAllowed={isAllowed} />
              <TestAddress
                zones={[zone]}
                currency={currency}
                initialCountry={isRestOfWorld(zone) ? undefined : zone.countries[0]}
              />
            </>
          )}
          <Raw record={zone} />
        </Frame>
      )}
    </Loaded>
  )
}

interface RatesProps {
  zone: ShippingZone
  currency: string
  isAllowed: boolean
}

function Rates({ zone, currency, isAllowed }: RatesProps) {
  const reorder = useReorder({
    ids: zone.rates.map(({ id }) => id),
    request: (ids) =>
      ratesRequest(zone, (rates) => [
        ...ids.filter((id) => rates.some((rate) => rate.id === id)).map((id) => ({ id })),
        ...keepRates(rates.filter(({ id }) => !ids.includes(id))),
      ]),
  })
  return (
    <Section
      title={shipping.rates}
      actions={isAllowed && <NewRate zone={zone} currency={currency} />}
    >
      {reorder.status}
      {zone.rates.length === 0 ? (
        <Empty>{shipping.noRates}</Empty>
      ) : (
        <Table
          label={shipping.rates}
          rows={zone.rates}
          keyOf={({ id }) => id}
          columns={[
            { label: common.name, show: ({ name }) => name },
            { label: shipping.calc, show: ({ calc_type }) => shipping[calc_type] },
            { label: shipping.price, show: (rate) => priceText(rate, currency) },
            { label: shipping.arrival, show: daysText },
            {
              label: common.status,
              show: ({ active }) => (
                <State state={active ? 'on' : 'closed'}>
                  {active ? shipping.on : shipping.off}
                </State>
              ),
            },
          ]}
          {...(isAllowed && {
            rowActions: (rate: ShippingRate) => (
              <>
                <MoveButtons id={rate.id} name={rate.name} reorder={reorder} />{' '}
                <EditRate zone={zone} currency={currency} rate={rate} />{' '}
                <DeleteRate zone={zone} rate={rate} />
              </>
            ),
          })}
        />
      )}
    </Section>
  )
}

function Actions({ zone }: { zone: ShippingZone }) {
  const openAfter = useOpenAfter()
  return (
    <>
      <EditAction
        label={common.edit}
        record={zone}
        read={async ({ api }) => (await api.shipping.getZone(zone.id)).zone}
        fields={zoneFields}
        request={(changed) =>
          storeRequest('shipping', 'updateZone', zone.id, zoneChange(zone, changed))
        }
      >
        {(values) => <p className="help">{shipsToText(values)}</p>}
      </EditAction>
      <Action
        label={common.delete}
        title={shipping.deleteZone}
        isDanger
        confirmName={zone.name}
        lead={
          <p>
            {fill(shipping.deleteZoneLead, { name: zone.name, n: formatNumber(zone.rates.length) })}
          </p>
        }
        submit={shipping.deleteZone}
        request={() =>
          openAfter(storeRequest('shipping', 'deleteZone', zone.id), '/settings/shipping')
        }
      />
    </>
  )
}
