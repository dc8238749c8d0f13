import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Deleted, Pagination, PathId, ProductRef } from '../../../kernel/shapes.ts'
import { addKeys } from './add-keys.ts'
import { deleteAllKeys, deleteKey } from './delete-keys.ts'
import { exportKeys } from './export-keys.ts'
import { listKeys } from './list-keys.ts'
import {
  ImportId,
  KeyExport,
  KeyReport,
  NewStockKeys,
  StockKey,
  StockKeyPatch,
  StockKeyQuery,
  StockPatch,
  VariantStock,
} from './schema.ts'
import { getStock } from './show-stock.ts'
import { undoImport } from './undo-import.ts'
import { updateKey } from './update-key.ts'
import { updateStock } from './update-stock.ts'

const VariantPath = z.object({
  id: ProductRef,
  variant_id: PathId.describe('The variant.'),
})
const ImportPath = VariantPath.extend({
  import_id: ImportId.describe('The `import_id` with which the keys were added.'),
})
const KeyPath = VariantPath.extend({ key_id: PathId.describe('The stock key.') })

const OneStock = z.object({ stock: VariantStock.describe('The stock of the variant.') })

export const stockEndpoints = [
  endpoint({
    id: 'stock.get',
    method: 'GET',
    path: '/products/:id/variants/:variant_id/stock',
    permission: 'stock:read',
    summary: 'Get the stock of a variant.',
    params: VariantPath,
    response: OneStock,
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => getStock(context, params.id, params.variant_id),
  }),
  endpoint({
    id: 'stock.update',
    method: 'PATCH',
    path: '/products/:id/variants/:variant_id/stock',
    permission: 'stock:write',
    summary: 'Set the stock of a variant, or change it by a number of units.',
    description:
      'The `stock_mode` of the variant must be `manual`. The quantity excludes the units that unpaid orders reserve. They stay reserved.',
    params: VariantPath,
    body: StockPatch,
    example: { delta: -2 },
    response: OneStock,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'stock.update', object: 'product' },
    handle: ({ context, params, body }) => updateStock(context, params.id, params.variant_id, body),
  }),
  endpoint({
    id: 'stock.list_keys',
    method: 'GET',
    path: '/products/:id/variants/:variant_id/keys',
    permission: 'stock:read',
    reveals: { if_query: 'reveal' },
    summary: 'List the stock keys of a variant, the newest first.',
    params: VariantPath,
    query: StockKeyQuery,
    response: z.object({
      keys: z.array(StockKey).describe('A page of keys.'),
      pagination: Pagination,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'stock.list_keys', object: 'product' },
    handle: ({ context, params, query }) => listKeys(context, params.id, params.variant_id, query),
  }),
  endpoint({
    id: 'stock.add_keys',
    method: 'POST',
    path: '/products/:id/variants/:variant_id/keys',
    permission: 'stock:write',
    summary: 'Add stock keys to a serial variant.',
    description:
      'A key that the variant has in stock or has sold is a duplicate. With `dry_run` nothing is added.',
    params: VariantPath,
    body: NewStockKeys,
    example: { keys: ['AAAA-BBBB-CCCC-0001', 'AAAA-BBBB-CCCC-0002'] },
    status: 201,
    response: z.object({
      added: z.int().describe('The number of keys that were added.'),
      skipped: z
        .int()
        .describe('The number of keys that exist already or are repeated in the call.'),
      report: KeyReport.optional().describe('The report of a dry run.'),
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'stock.add_keys', object: 'product' },
    handle: ({ context, params, body }) => addKeys(context, params.id, params.variant_id, body),
  }),
  endpoint({
    id: 'stock.export_keys',
    method: 'GET',
    path: '/products/:id/variants/:variant_id/keys/export',
    permission: 'stock:read',
    reveals: 'always',
    summary: 'Get a URL from which all stock keys of a variant can be downloaded as CSV.',
    description:
      'The download shows the complete keys. The URL is valid for 15 minutes and needs no API key.',
    params: VariantPath,
    response: z.object({
      export: KeyExport.describe('The URL and its expiry.'),
    }),
    errors: ['NOT_FOUND'],
    audit: { action: 'stock.export_keys', object: 'product' },
    handle: ({ context, params }) => exportKeys(context, params.id, params.variant_id),
  }),
  endpoint({
    id: 'stock.update_key',
    method: 'PATCH',
    path: '/products/:id/variants/:variant_id/keys/:key_id',
    permission: 'stock:write',
    summary: 'Change a stock key that is not sold, or keep it from sale.',
    params: KeyPath,
    body: StockKeyPatch,
    example: { status: 'reserved' },
    response: z.object({ key: StockKey.describe('The key, masked.') }),
    errors: ['NOT_FOUND', 'INVALID_STATE', 'VALIDATION_FAILED'],
    audit: { action: 'stock.update_key', object: 'product' },
    handle: ({ context, params, body }) =>
      updateKey(
        context,
        { product: params.id, variantId: params.variant_id, id: params.key_id },
        body,
      ),
  }),
  endpoint({
    id: 'stock.delete_key',
    method: 'DELETE',
    path: '/products/:id/variants/:variant_id/keys/:key_id',
    permission: 'stock:write',
    summary: 'Delete an available stock key.',
    params: KeyPath,
    response: z.object({ ...Deleted, id: z.int().describe('The id of the deleted key.') }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'stock.delete_key', object: 'product' },
    handle: ({ context, params }) =>
      deleteKey(context, { product: params.id, variantId: params.variant_id }, params.key_id),
  }),
  endpoint({
    id: 'stock.delete_all_keys',
    method: 'DELETE',
    path: '/products/:id/variants/:variant_id/keys',
    permission: 'stock:write',
    summary:
      'Delete all available stock keys of a variant, except those that unpaid orders reserve.',
    params: VariantPath,
    response: z.object({ ...Deleted, count: z.int().describe('The number of deleted keys.') }),
    errors: ['NOT_FOUND'],
    audit: { action: 'stock.delete_all_keys', object: 'product' },
    handle: ({ context, params }) =>
      deleteAllKeys(context, { product: params.id, variantId: params.variant_id }),
  }),
  endpoint({
    id: 'stock.undo_import',
    method: 'DELETE',
    path: '/products/:id/variants/:variant_id/key-imports/:import_id',
    permission: 'stock:write',
    summary: 'Undo an import of stock keys.',
    description:
      'Deletes all keys that were added with this `import_id`. This is possible for 10 minutes after the last key was added, if every key is available and no unpaid order reserves one.',
    params: ImportPath,
    response: z.object({ ...Deleted, count: z.int().describe('The number of deleted keys.') }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    audit: { action: 'stock.undo_import', object: 'product' },
    handle: ({ context, params }) =>
      undoImport(context, {
        product: params.id,
        variantId: params.variant_id,
        importId: params.import_id,
      }),
  }),
]
