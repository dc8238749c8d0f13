import { useDeferredValue, useId, useState } from 'react'
import { storeRequest } from '../../api/action.ts'
import { type Customer, useRead } from '../../api/store.ts'
import { Form } from '../../kit/form.tsx'
import { formatMoney, formatNumber } from '../../kit/format.ts'
import { Modal } from '../../kit/modal.tsx'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Failure } from '../../kit/states.tsx'
import { countText } from '../../kit/words.ts'
import { fill } from '../../text/catalogue.ts'
import { customers as text } from '../../text/customers.ts'

/** A button that opens a search for the customer into which another one is merged. */
export function MergeCustomer({ customer }: { customer: Customer }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button
        type="button"
        className="danger-outlined"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text.merge}
      </button>
      <Modal title={text.merge} isOpen={isOpen} onClose={close}>
        <MergeForm customer={customer} close={close} />
      </Modal>
    </>
  )
}

const CHOICES_MAX = 20

const labelOf = ({ email, name, orders_count, total_spent_cents, currency }: Customer): string =>
  [
    ...(name === null ? [email] : [email, name]),
    countText(orders_count, text.oneOrder, text.manyOrders),
    formatMoney(total_spent_cents, currency),
  ].join(' · ')

function MergeForm({ customer, close }: { customer: Customer; close: () => void }) {
  const { id, email, orders_count, balance_cents, currency } = customer
  const fieldId = useId()
  const openAfter = useOpenAfter()
  const [query, setQuery] = useState('')
  const search = useDeferredValue(query.trim())
  const { data, error } = useRead(
    ['customers', 'to merge', search],
    async ({ api }) => (await api.customers.list({ search, limit: CHOICES_MAX })).customers,
    { enabled: search !== '', keepPrevious: true },
  )
  const candidates = (data ?? []).filter((item) => item.id !== id && item.erased_at === null)
  return (
    <>
      <div className="lead">
        <p>
          {fill(text.mergeLead, {
            email,
            n: formatNumber(orders_count),
            balance: formatMoney(balance_cents, currency),
          })}
        </p>
      </div>
      <div className="form">
        {error && <Failure error={error} />}
        <div className="field">
          <label htmlFor={fieldId}>{text.search}</label>
          <input
            id={fieldId}
            type="search"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
          <p className="help" role="status">
            {data && candidates.length === 0 ? text.noOther : ''}
          </p>
        </div>
      </div>
      <Form
        // If the choices change, the form starts again, so that no customer stays chosen who is no longer listed.
        key={candidates.map((candidate) => candidate.id).join()}
        fields={[
          {
            name: 'into',
            label: text.mergeInto,
            type: 'select',
            required: true,
            options: candidates.map((candidate) => ({
              value: String(candidate.id),
              label: labelOf(candidate),
            })),
          },
        ]}
        isDanger
        confirmName={email}
        submit={text.merge}
        request={({ into }) => {
          if (into === undefined) throw new Error('No customer is chosen.')
          const request = storeRequest('customers', 'merge', id, { into: Number(into) })
          return openAfter(request, `/customers/${into}`)
        }}
        onCancel={close}
      />
    </>
  )
}
