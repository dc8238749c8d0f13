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
  KeyPatch,
  KeyQuery,
  KeyReport,
  NewKeys,
  StockKey,
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
  import_id: ImportId.describe('The `import_id` that the keys were added with.'),
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
    summary: 'Set what there is to sell of a variant, or add to it and take from it.',
    description:
      'For `stock_mode` manual. What unpaid orders hold stays theirs and is not part of the quantity.',
    params: VariantPath,
    body: StockPatch,
    example: { delta: -2 },
    response: OneStock,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) => updateStock(context, params.id, params.variant_id, body),
  }),
  endpoint({
    id: 'stock.list_keys',
    method: 'GET',
    path: '/products/:id/variants/:variant_id/keys',
    permission: 'stock:read',
    reveals: { when_asked_by: 'reveal' },
    summary: 'List the stock keys of a variant, newest first.',
    params: VariantPath,
    query: KeyQuery,
    response: z.object({
      keys: z.array(StockKey).describe('A page of keys.'),
      pagination: Pagination,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, query }) => listKeys(context, params.id, params.variant_id, query),
  }),
  endpoint({
    id: 'stock.add_keys',
    method: 'POST',
    path: '/products/:id/variants/:variant_id/keys',
    permission: 'stock:write',
    summary: 'Add stock keys to a serial variant.',
    description:
      'A key that the variant has, or had and sold, is a duplicate. With `dry_run` nothing is added.',
    params: VariantPath,
    body: NewKeys,
    example: { keys: ['AAAA-BBBB-CCCC-0001', 'AAAA-BBBB-CCCC-0002'] },
    status: 201,
    response: z.object({
      added: z.int().describe('Keys that are new.'),
      skipped: z.int().describe('Keys that were there already, or stood twice in the call.'),
      report: KeyReport.optional().describe('The report of a dry run.'),
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: ({ context, params, body }) => addKeys(context, params.id, params.variant_id, body),
  }),
  endpoint({
    id: 'stock.export_keys',
    method: 'GET',
    path: '/products/:id/variants/:variant_id/keys/export',
    permission: 'stock:read',
    reveals: 'always',
    summary: 'Get an address that downloads all stock keys of a variant as CSV.',
    description: 'It shows the keys in full and needs no API key, for 15 minutes.',
    params: VariantPath,
    response: z.object({
      export: KeyExport.describe('The address, and until when it is one.'),
    }),
    errors: ['NOT_FOUND'],
    handle: ({ context, params }) => exportKeys(context, params.id, params.variant_id),
  }),
  endpoint({
    id: 'stock.update_key',
    method: 'PATCH',
    path: '/products/:id/variants/:variant_id/keys/:key_id',
    permission: 'stock:write',
    summary: 'Change a stock key that is not sold, hold it back, or withdraw it.',
    params: KeyPath,
    body: KeyPatch,
    example: { status: 'reserved' },
    response: z.object({ key: StockKey.describe('The key, masked.') }),
    errors: ['NOT_FOUND', 'INVALID_STATE', 'VALIDATION_FAILED'],
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
    response: z.object({ ...Deleted, id: z.int().describe('The key that is gone.') }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    handle: ({ context, params }) =>
      deleteKey(context, { product: params.id, variantId: params.variant_id }, params.key_id),
  }),
  endpoint({
    id: 'stock.delete_all_keys',
    method: 'DELETE',
    path: '/products/:id/variants/:variant_id/keys',
    permission: 'stock:write',
    summary: 'Delete all available stock keys of a variant that no unpaid order holds.',
    params: VariantPath,
    response: z.object({ ...Deleted, count: z.int().describe('Keys that are gone.') }),
    errors: ['NOT_FOUND'],
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
      'Deletes all keys that were added with this `import_id`. It works for 10 minutes after the last of them, while each is available and no unpaid order needs one.',
    params: ImportPath,
    response: z.object({ ...Deleted, count: z.int().describe('Keys that were deleted.') }),
    errors: ['NOT_FOUND', 'INVALID_STATE'],
    handle: ({ context, params }) =>
      undoImport(context, {
        product: params.id,
        variantId: params.variant_id,
        importId: params.import_id,
      }),
  }),
]
