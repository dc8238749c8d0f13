import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Message, NextCursor, RecordPath } from '../../../kernel/client-shapes.ts'
import { changedText, counted } from '../../../kernel/counted.ts'
import { Extension, KeyBatch, NewBan } from './action-schema.ts'
import { applyToKey, batchKeys, unbanKey } from './batch-keys.ts'
import { createKeys } from './create-keys.ts'
import { importKeys } from './import-keys.ts'
import { rotateKey } from './rotate-key.ts'
import {
  ImportedLicenseKeys,
  LicenseKey,
  LicenseKeyPatch,
  LicenseKeyQuery,
  ListedLicenseKey,
  NewLicenseKeys,
} from './schema.ts'
import { getKey, listKeys } from './show-keys.ts'
import { updateKey } from './update-key.ts'

const ChangedKey = z.object({ key: ListedLicenseKey, message: Message })
const CreatedKeys = z.object({
  keys: z.array(LicenseKey).describe('The new keys with their texts, in the order of the request.'),
  message: Message,
})
const MessageAnswer = z.object({ message: Message })

export const licenseKeyEndpoints = [
  endpoint({
    id: 'license_keys.list',
    method: 'GET',
    path: '/keys',
    permission: 'client_security:read',
    summary: 'List license keys without their texts, newest first.',
    query: LicenseKeyQuery,
    response: z.object({
      keys: z.array(ListedLicenseKey).describe('A page of keys.'),
      next_cursor: NextCursor,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listKeys(context, query),
  }),
  endpoint({
    id: 'license_keys.create',
    method: 'POST',
    path: '/keys',
    permission: 'client_security:write',
    summary: 'Create up to 1,000 license keys. Either all are created or none.',
    body: NewLicenseKeys,
    example: { count: 10, prefix: 'GAME', max_devices: 1, duration_seconds: 2_592_000 },
    status: 201,
    response: CreatedKeys,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'license_key.create', object: 'license_key' },
    handle: async ({ context, caller, body }) => {
      const keys = await createKeys(context, caller, body)
      return { keys, message: changedText(keys.length, 'license key', 'created') }
    },
  }),
  endpoint({
    id: 'license_keys.import',
    method: 'POST',
    path: '/keys/import',
    permission: 'client_security:write',
    summary: 'Import up to 1,000 license keys. Either all are imported or none.',
    body: ImportedLicenseKeys,
    example: { keys: [{ key: 'OLD-SHOP-4711', level: 1 }] },
    status: 201,
    response: CreatedKeys,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'license_key.import', object: 'license_key' },
    handle: async ({ context, caller, body }) => {
      const keys = await importKeys(context, caller, body)
      return { keys, message: changedText(keys.length, 'license key', 'imported') }
    },
  }),
  endpoint({
    id: 'license_keys.batch',
    method: 'POST',
    path: '/keys/batch',
    permission: 'client_security:write',
    summary: 'Apply an action to up to 1,000 license keys. It applies to all of them or to none.',
    body: KeyBatch,
    example: { action: 'ban', ids: [1, 2], reason: 'Charged back.' },
    response: z.object({ count: z.int().describe('The number of keys.'), message: Message }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'license_key.batch', object: 'license_key' },
    handle: async ({ context, caller, body }) => {
      const count = await batchKeys(context, caller, body)
      return {
        count,
        message: `The action ${body.action} was applied to ${counted(count, 'license key')}.`,
      }
    },
  }),
  endpoint({
    id: 'license_keys.get',
    method: 'GET',
    path: '/keys/:id',
    permission: 'client_security:read',
    reveals: 'always',
    summary: 'Get a license key with its text.',
    params: RecordPath,
    response: z.object({ key: LicenseKey }),
    errors: ['NOT_FOUND'],
    audit: { action: 'license_key.get', object: 'license_key' },
    handle: async ({ context, params }) => ({ key: await getKey(context, params.id) }),
  }),
  endpoint({
    id: 'license_keys.update',
    method: 'PATCH',
    path: '/keys/:id',
    permission: 'client_security:write',
    summary: 'Update a license key. Fields you leave out keep their value. Null removes a value.',
    params: RecordPath,
    body: LicenseKeyPatch,
    example: { max_devices: 2 },
    response: ChangedKey,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'license_key.update', object: 'license_key' },
    handle: async ({ context, caller, params: { id }, body }) => ({
      key: await updateKey(context, caller, id, body),
      message: 'The license key was updated.',
    }),
  }),
  endpoint({
    id: 'license_keys.delete',
    method: 'DELETE',
    path: '/keys/:id',
    permission: 'client_security:write',
    summary: 'Delete a license key permanently. Its text is never used again.',
    params: RecordPath,
    response: MessageAnswer,
    errors: ['NOT_FOUND'],
    audit: { action: 'license_key.delete', object: 'license_key' },
    handle: async ({ context, caller, params: { id } }) => {
      await batchKeys(context, caller, { ids: [id], action: 'delete' })
      return { message: 'The license key was deleted.' }
    },
  }),
  endpoint({
    id: 'license_keys.ban',
    method: 'POST',
    path: '/keys/:id/ban',
    permission: 'client_security:write',
    summary: 'Ban a license key and end its sessions.',
    params: RecordPath,
    body: NewBan,
    example: { reason: 'Shared in public.', public_reason: 'This key was shared.' },
    response: ChangedKey,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'license_key.ban', object: 'license_key' },
    handle: async ({ context, caller, params: { id }, body }) => ({
      key: await applyToKey(context, caller, id, { action: 'ban', ...body }),
      message: 'The license key was banned.',
    }),
  }),
  endpoint({
    id: 'license_keys.unban',
    method: 'POST',
    path: '/keys/:id/unban',
    permission: 'client_security:write',
    summary: 'Lift the ban of a license key.',
    params: RecordPath,
    response: MessageAnswer,
    errors: ['NOT_FOUND'],
    audit: { action: 'license_key.unban', object: 'license_key' },
    handle: async ({ context, caller, params: { id } }) => {
      const wasBanned = await unbanKey(context, caller, id)
      return {
        message: wasBanned
          ? 'The ban of the license key was lifted.'
          : 'The license key was not banned. Nothing was changed.',
      }
    },
  }),
  endpoint({
    id: 'license_keys.extend',
    method: 'POST',
    path: '/keys/:id/extend',
    permission: 'client_security:write',
    summary: 'Extend a license.',
    params: RecordPath,
    body: Extension,
    example: { seconds: 2_592_000, from: 'now_if_expired' },
    response: ChangedKey,
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'license_key.extend', object: 'license_key' },
    handle: async ({ context, caller, params: { id }, body }) => ({
      key: await applyToKey(context, caller, id, { action: 'extend', ...body }),
      message: 'The license key was extended.',
    }),
  }),
  endpoint({
    id: 'license_keys.rotate',
    method: 'POST',
    path: '/keys/:id/rotate',
    permission: 'client_security:write',
    summary: 'Replace the text of a license key. The old text stops working immediately.',
    params: RecordPath,
    response: z.object({ key: LicenseKey, message: Message }),
    errors: ['NOT_FOUND'],
    audit: { action: 'license_key.rotate', object: 'license_key' },
    handle: async ({ context, caller, params: { id } }) => ({
      key: await rotateKey(context, caller, id),
      message: 'The text of the license key was replaced.',
    }),
  }),
]
