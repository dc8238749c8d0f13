import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { readPartnerTotals } from './change-partners.ts'
import { findConversion } from './list-conversions.ts'
import { Conversion, ConversionPath, PartnerTotals } from './schema.ts'

/** The operations of the programme that only the dashboard can call. */
export const affiliateDashboardEndpoints = [
  endpoint({
    id: 'affiliates.get_conversion',
    method: 'GET',
    path: '/order-conversions/:invoice_id',
    permission: 'affiliates:read',
    summary: 'Get the conversion of an order, with its commission and flags.',
    description:
      'Also available while the programme is off, because commissions that were earned must still be paid.',
    params: ConversionPath,
    response: z.object({
      conversion: Conversion.nullable().describe('Null if the order has no conversion.'),
    }),
    errors: ['VALIDATION_FAILED'],
    handle: async ({ context, params }) => ({
      conversion: await findConversion(context, params.invoice_id),
    }),
  }),
  endpoint({
    id: 'affiliates.get_totals',
    method: 'GET',
    path: '/partner-totals',
    permission: 'affiliates:read',
    summary: 'Get the totals of all approved partners.',
    response: z.object({ totals: PartnerTotals }),
    errors: [],
    handle: async ({ context }) => ({ totals: await readPartnerTotals(context) }),
  }),
]
