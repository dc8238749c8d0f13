import type { Filter } from '../../kit/list.tsx'
import { humanizedOptions } from '../../kit/options.ts'
import { common } from '../../text/common.ts'
import { products } from '../../text/products.ts'

export const STATUS_FILTER: Filter = {
  name: 'status',
  label: common.status,
  options: humanizedOptions(['active', 'draft', 'archived']),
}

export const STOCK_FILTER: Filter = {
  name: 'in_stock',
  label: products.stock,
  options: [
    { value: 'true', label: common.yes },
    { value: 'false', label: common.no },
  ],
}
