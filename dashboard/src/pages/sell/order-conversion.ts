import { type Order, useRead } from '../../api/store.ts'

/** Reads the conversion of an order. Reads nothing if no partner referred the customer. */
export const useConversion = ({ id, affiliate }: Order) =>
  useRead(
    ['affiliates', 'conversions', 'of order', id],
    async ({ readDashboard }) =>
      (await readDashboard<'affiliates.get_conversion'>(`/order-conversions/${id}`)).conversion,
    { enabled: affiliate !== null },
  )
