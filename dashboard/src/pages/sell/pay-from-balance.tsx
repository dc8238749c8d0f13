import { useQueryClient } from '@tanstack/react-query'
import { storeRequest } from '../../api/action.ts'
import { type Customer, type Order, useRead, useStore } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { formatMoney } from '../../kit/format.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { customers } from '../../text/customers.ts'
import { owedCentsOf } from './open-orders.ts'

/** Reads the customer of an order, whose balance and block decide which actions are offered. */
export const useCustomerOf = ({ customer: { id } }: Order, options: { enabled: boolean }) =>
  useRead(
    ['customers', id, 'of order'],
    async ({ api }) => (await api.customers.get(id)).customer,
    { isOptional: true, ...options },
  )

interface Props {
  order: Order
  customer: Pick<Customer, 'email' | 'currency' | 'balance_cents'>
}

/** Pays an unpaid order, or a part of it, from the balance of its customer. */
export function PayFromBalance({ order, customer }: Props) {
  const { id: storeId } = useStore()
  const queries = useQueryClient()
  const { id, currency } = order
  const owedCents = owedCentsOf(order)
  const payableCents = Math.min(owedCents, customer.balance_cents)
  if (payableCents < 1 || customer.currency !== currency) return null
  return (
    <Action
      label={customers.payFromBalance}
      lead={
        <p>
          {fill(customers.payFromBalanceLead, {
            email: customer.email,
            balance: formatMoney(customer.balance_cents, currency),
            owed: formatMoney(owedCents, currency),
          })}
        </p>
      }
      fields={[
        {
          name: 'amount_cents',
          label: common.amount,
          type: 'money',
          currency,
          required: true,
          value: payableCents,
        },
      ]}
      submit={({ amount_cents }) =>
        typeof amount_cents === 'number'
          ? fill(customers.payAmount, { amount: formatMoney(amount_cents, currency) })
          : customers.payFromBalance
      }
      // The amount is sent even if it is unchanged, so that a stale page never takes another amount.
      request={({ amount_cents }) =>
        storeRequest('orders', 'addBalancePayment', id, { amount_cents: Number(amount_cents) })
      }
      onDone={() => void queries.invalidateQueries({ queryKey: [storeId, 'customers'] })}
    />
  )
}
