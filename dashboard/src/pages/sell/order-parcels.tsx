import { storeRequest } from '../../api/action.ts'
import type { Fulfillment, Order } from '../../api/store.ts'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { clearedAsNull, EditAction } from '../../kit/edit-action.tsx'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Section, State, Time } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { listAnd } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { parcels } from '../../text/parcels.ts'

/** The states in which an order can be shipped. */
const SHIPPABLE_STATUSES: readonly string[] = ['paid', 'completed']
const CARRIER_STATUSES = [
  'label_printed',
  'in_transit',
  'out_for_delivery',
  'attempted_delivery',
  'delivered',
  'failure',
] as const
/** The maximum number of parcels that the page reads. Few orders have as many units. */
const PARCELS_MAX = 100

/** A line of an order with units that are in no parcel. */
interface UnshippedLine {
  id: number
  name: string
  units: number
}

/** A change of a parcel also changes its order, so both are read again. */
const AREA = 'orders'

/** The parcels of an order with physical goods: what was shipped, and what is left to ship. */
export function OrderParcels({ order }: { order: Order }) {
  const isAllowed = useMayWrite('fulfillment')
  const needsShipping = order.fulfillment_status !== 'not_required'
  const read = useRead(
    [AREA, order.id, 'parcels'],
    async ({ api }) =>
      (await api.fulfillments.list({ order_id: order.id, limit: PARCELS_MAX })).fulfillments,
    { enabled: needsShipping },
  )
  const isShippable = SHIPPABLE_STATUSES.includes(order.status)
  if (!needsShipping || (!isShippable && !read.data?.length)) return null
  const unshippedLines = unshippedLinesOf(order, read.data ?? [])
  const mayShip = isAllowed && read.data !== undefined && isShippable && !order.hold
  return (
    <Section
      title={parcels.title}
      actions={
        mayShip && unshippedLines.length > 0 && <Ship order={order} lines={unshippedLines} />
      }
    >
      <Loaded read={read} rows={2}>
        {(orderParcels) => (
          <>
            {orderParcels.length === 0 && <Empty>{parcels.none}</Empty>}
            {orderParcels.length > 0 && unshippedLines.length > 0 && (
              <p>{fill(parcels.toShip, { items: listAnd(unshippedLines.map(unitsText)) })}</p>
            )}
            {orderParcels.map((parcel, index) => (
              <Parcel
                key={parcel.id}
                {...{ order, parcel, isAllowed }}
                number={orderParcels.length - index}
              />
            ))}
          </>
        )}
      </Loaded>
    </Section>
  )
}

const unitsText = ({ name, units }: UnshippedLine): string => `${formatNumber(units)} × ${name}`

const nameOf = ({ name, variant_name }: Order['items'][number]): string =>
  variant_name === 'Default' ? name : `${name} · ${variant_name}`

/** The physical lines with units that are in no parcel. The units of a cancelled parcel are free again. */
function unshippedLinesOf({ items }: Order, orderParcels: readonly Fulfillment[]): UnshippedLine[] {
  const packedItems = orderParcels
    .filter(({ status }) => status !== 'cancelled')
    .flatMap((parcel) => parcel.items)
  return items
    .filter(({ delivery_type }) => delivery_type === 'physical')
    .map((line) => {
      const itemsOfLine = packedItems.filter(({ order_item_id }) => order_item_id === line.id)
      const packedUnits = itemsOfLine.reduce((sum, { quantity }) => sum + quantity, 0)
      return {
        id: line.id,
        name: nameOf(line),
        units: line.quantity - line.cancelled_quantity - packedUnits,
      }
    })
    .filter(({ units }) => units > 0)
}

const TRACKING_FIELDS: readonly Field[] = [
  { name: 'tracking_number', label: parcels.tracking },
  { name: 'carrier_code', label: parcels.carrier, help: parcels.carrierHelp },
  { name: 'tracking_url', label: parcels.trackingUrl, type: 'url' },
]

/** Ships the rest of the order, or some units of it. If only one unit is left, the form has no field for it. */
function Ship({ order, lines }: { order: Order; lines: readonly UnshippedLine[] }) {
  const units = lines.reduce((sum, line) => sum + line.units, 0)
  const unitFields: Field[] = lines.map((line) => ({
    name: `units_${line.id}`,
    label: fill(parcels.unitsOf, { item: line.name, n: formatNumber(line.units) }),
    type: 'number',
    value: line.units,
  }))
  const itemsOf = (values: FormValues) =>
    lines
      .map(({ id }) => ({ order_item_id: id, quantity: Number(values[`units_${id}`] ?? 0) }))
      .filter(({ quantity }) => quantity !== 0)
  return (
    <Action
      label={parcels.shipTitle}
      isPrimary
      lead={
        <>
          <p>{parcels.shipLead}</p>
          {units === 1 && <p>{lines.map(unitsText)}</p>}
        </>
      }
      fields={[
        ...(units > 1 ? unitFields : []),
        ...TRACKING_FIELDS,
        { name: 'notify_customer', label: parcels.notify, type: 'checkbox', value: true },
      ]}
      submit={parcels.ship}
      done={parcels.shipped}
      request={(values) => ({
        ...storeRequest('fulfillments', 'create', order.id, {
          ...(units > 1 && { items: itemsOf(values) }),
          ...trackingOf(values),
          notify_customer: values.notify_customer === true,
        }),
        area: AREA,
      })}
    />
  )
}

const trackingOf = (values: FormValues) =>
  Object.fromEntries(
    TRACKING_FIELDS.flatMap(({ name }) =>
      values[name] === undefined ? [] : [[name, String(values[name])]],
    ),
  )

interface ParcelProps {
  order: Order
  parcel: Fulfillment
  /** The position of the parcel in its order, from 1. */
  number: number
  isAllowed: boolean
}

function Parcel({ order, parcel, number, isAllowed }: ParcelProps) {
  const { status, shipment_status, carrier_code, tracking_number, tracking_url } = parcel
  const itemOf = (id: number) => order.items.find((item) => item.id === id)
  const mayChange = isAllowed && status !== 'cancelled' && status !== 'delivered'
  return (
    <article className="delivery">
      <header className="card-head">
        <h3>
          {fill(parcels.number, { n: number })} <State state={status} />
        </h3>
        {mayChange && <ParcelActions parcel={parcel} />}
      </header>
      <p>
        {parcel.items
          .map(({ order_item_id, quantity }) => {
            const item = itemOf(order_item_id)
            return `${formatNumber(quantity)} × ${item ? nameOf(item) : order_item_id}`
          })
          .join(', ')}
      </p>
      <p className="secondary-text">
        <Time at={parcel.delivered_at ?? parcel.shipped_at ?? parcel.created_at} />
        {shipment_status !== null && ` · ${parcels[shipment_status]}`}
        {carrier_code !== 'custom' && ` · ${carrier_code}`}
        {tracking_number !== null && (
          <>
            {' · '}
            {tracking_url === null ? (
              tracking_number
            ) : (
              <a href={tracking_url} target="_blank" rel="noreferrer">
                {tracking_number}
              </a>
            )}
          </>
        )}
      </p>
    </article>
  )
}

const fieldsOf = (parcel: Fulfillment): readonly Field[] => [
  ...TRACKING_FIELDS.map(({ help: _, ...field }) => ({
    ...field,
    value: parcel[field.name as 'tracking_number'],
    // A parcel always has a carrier.
    required: field.name === 'carrier_code',
  })),
  {
    name: 'shipment_status',
    label: parcels.carrierStatus,
    type: 'select',
    value: parcel.shipment_status,
    options: CARRIER_STATUSES.map((value) => ({ value, label: parcels[value] })),
  },
]

const ParcelActions = ({ parcel }: { parcel: Fulfillment }) => (
  <div className="actions">
    <EditAction
      label={parcels.edit}
      record={parcel}
      read={async ({ api }) => (await api.fulfillments.get(parcel.id)).fulfillment}
      fields={fieldsOf}
      request={(changed) => ({
        ...storeRequest('fulfillments', 'update', parcel.id, clearedAsNull(changed)),
        area: AREA,
      })}
    />
    <Action
      label={parcels.cancel}
      isDanger
      lead={
        <p>
          {fill(parcels.cancelLead, {
            n: formatNumber(parcel.items.reduce((sum, { quantity }) => sum + quantity, 0)),
          })}
        </p>
      }
      submit={parcels.cancel}
      request={() => ({ ...storeRequest('fulfillments', 'cancel', parcel.id), area: AREA })}
    />
  </div>
)
