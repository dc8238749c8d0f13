import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Message, NextCursor, RecordPath } from '../../../kernel/client-shapes.ts'
import { changedText } from '../../../kernel/counted.ts'
import { PathId } from '../../../kernel/shapes.ts'
import { ClientSession, CursorPage, Device, listDevices, listSessions } from '../devices/index.ts'
import { LicenseFile, NewLicenseFile, Reset } from './action-schema.ts'
import { applyToKey } from './batch-keys.ts'
import { endKeySessions, freeDevice } from './free-devices.ts'
import { issueLicenseFile } from './issue-license-file.ts'
import { ListedLicenseKey } from './schema.ts'
import { getKey } from './show-keys.ts'

const DevicePath = RecordPath.extend({ device_id: PathId.describe('The device id.') })

export const keyDeviceEndpoints = [
  endpoint({
    id: 'license_keys.list_devices',
    method: 'GET',
    path: '/keys/:id/devices',
    permission: 'client_security:read',
    summary: 'List the devices of a license key, newest first.',
    params: RecordPath,
    query: CursorPage,
    response: z.object({
      devices: z.array(Device).describe('A page of devices.'),
      next_cursor: NextCursor,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ context, params, query }) => {
      await getKey(context, params.id)
      return listDevices(context, params.id, query)
    },
  }),
  endpoint({
    id: 'license_keys.free_device',
    method: 'DELETE',
    path: '/keys/:id/devices/:device_id',
    permission: 'client_security:write',
    summary: 'Remove a device from a license key, so that another device can use the key.',
    params: DevicePath,
    response: z.object({ message: Message }),
    errors: ['NOT_FOUND'],
    audit: { action: 'license_key.free_device', object: 'license_key' },
    handle: async ({ context, caller, params }) => {
      await freeDevice(context, caller, params.id, params.device_id)
      return { message: 'The device was freed.' }
    },
  }),
  endpoint({
    id: 'license_keys.reset_devices',
    method: 'POST',
    path: '/keys/:id/reset-devices',
    permission: 'client_security:write',
    summary: 'Remove all devices from a license key.',
    params: RecordPath,
    body: Reset,
    example: { force: true },
    response: z.object({ key: ListedLicenseKey, message: Message }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'license_key.reset_devices', object: 'license_key' },
    handle: async ({ context, caller, params: { id }, body }) => ({
      key: await applyToKey(context, caller, id, { action: 'reset', ...body }),
      message: 'The devices were freed.',
    }),
  }),
  endpoint({
    id: 'license_keys.list_sessions',
    method: 'GET',
    path: '/keys/:id/sessions',
    permission: 'client_security:read',
    summary: 'List the sessions of a license key, newest first.',
    params: RecordPath,
    query: CursorPage,
    response: z.object({
      sessions: z.array(ClientSession).describe('A page of sessions.'),
      next_cursor: NextCursor,
    }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    handle: async ({ context, params, query }) => {
      await getKey(context, params.id)
      return listSessions(context, params.id, query)
    },
  }),
  endpoint({
    id: 'license_keys.end_sessions',
    method: 'DELETE',
    path: '/keys/:id/sessions',
    permission: 'client_security:write',
    summary: 'End all sessions of a license key.',
    params: RecordPath,
    response: z.object({ message: Message }),
    errors: ['NOT_FOUND'],
    audit: { action: 'license_key.end_sessions', object: 'license_key' },
    handle: async ({ context, caller, params }) => ({
      message: changedText(await endKeySessions(context, caller, params.id), 'session', 'ended'),
    }),
  }),
  endpoint({
    id: 'license_keys.issue_file',
    method: 'POST',
    path: '/keys/:id/license-files',
    permission: 'client_security:write',
    summary: 'Issue an offline license file for a device of a license key.',
    params: RecordPath,
    body: NewLicenseFile,
    example: { fingerprint: 'a-machine-of-the-customer', ttl_seconds: 604_800 },
    status: 201,
    response: LicenseFile.extend({ message: Message }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED', 'INVALID_STATE'],
    audit: { action: 'license_key.issue_file', object: 'license_key' },
    handle: async ({ context, caller, params, body }) => ({
      ...(await issueLicenseFile(context, caller, params.id, body)),
      message: 'The license file was issued.',
    }),
  }),
]
