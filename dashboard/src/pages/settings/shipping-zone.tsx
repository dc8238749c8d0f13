import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import { type ShippingRate, type ShippingZone, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useCurrency } from '../../kit/currency.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useLeaving } from '../../kit/leave.ts'
import { Table } from '../../kit/list.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { Raw, Section, State } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { shipping } from '../../text/shipping.ts'
import {
  countriesOf,
  daysText,
  goesTo,
  isRest,
  priceText,
  ratesRequest,
  zoneFields,
  zoneOf,
} from './shipping-parts.ts'
import { DeleteRate, RateAction } from './shipping-rate.tsx'
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
              {countriesOf(zone.countries)}{' '}
              <State state={zone.active ? 'on' : 'closed'}>
                {zone.active ? shipping.on : shipping.off}
              </State>
            </>
          }
          actions={
            isAllowed ? <Actions of={zone} /> : <span className="quiet">{common.notAllowed}</span>
          }
        >
          {currency && (
            <>
              <Rates zone={zone} currency={currency} isAllowed={isAllowed} />
              <TestAddress
                zones={[zone]}
                currency={currency}
                country={isRest(zone) ? undefined : zone.countries[0]}
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
      ratesRequest(
        zone.id,
        ids.map((id) => ({ id })),
      ),
  })
  return (
    <Section
      title={shipping.rates}
      actions={isAllowed && <RateAction zone={zone} currency={currency} />}
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
                <RateAction zone={zone} currency={currency} of={rate} />{' '}
                <DeleteRate zone={zone} of={rate} />
              </>
            ),
          })}
        />
      )}
    </Section>
  )
}

function Actions({ of }: { of: ShippingZone }) {
  const leaving = useLeaving()
  return (
    <>
      <Action
        label={common.edit}
        fields={zoneFields(of)}
        submit={common.save}
        request={(values) => storeRequest('shipping', 'updateZone', of.id, zoneOf(values))}
      >
        {(values) => <p className="help">{goesTo(values)}</p>}
      </Action>
      <Action
        label={common.delete}
        title={shipping.deleteZone}
        isDanger
        lead={
          <p>
            {fill(shipping.deleteZoneLead, { name: of.name, n: formatNumber(of.rates.length) })}
          </p>
        }
        submit={shipping.deleteZone}
        request={() => leaving(storeRequest('shipping', 'deleteZone', of.id), '/settings/shipping')}
      />
    </>
  )
}
