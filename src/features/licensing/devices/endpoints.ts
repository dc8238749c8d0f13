import { z } from 'zod'
import { endpoint } from '../../../http/endpoint.ts'
import { Message, RecordPath } from '../../../kernel/client-shapes.ts'
import { Pagination } from '../../../kernel/shapes.ts'
import { banDevice, liftBan, listBans } from './ban-device.ts'
import { BanQuery, DeviceBan, NewDeviceBan } from './schema.ts'

export const deviceBanEndpoints = [
  endpoint({
    id: 'device_bans.list',
    method: 'GET',
    path: '/device-bans',
    permission: 'client_security:read',
    summary: 'List bans of devices and addresses, newest first.',
    query: BanQuery,
    response: z.object({
      device_bans: z.array(DeviceBan).describe('A page of bans.'),
      pagination: Pagination,
    }),
    errors: ['VALIDATION_FAILED'],
    handle: ({ context, query }) => listBans(context, query),
  }),
  endpoint({
    id: 'device_bans.create',
    method: 'POST',
    path: '/device-bans',
    permission: 'client_security:write',
    summary: 'Ban a device or addresses in one app.',
    body: NewDeviceBan,
    example: { ip_cidr: '203.0.113.0/24', reason: 'Cracked builds.' },
    status: 201,
    response: z.object({ device_ban: DeviceBan, message: Message }),
    errors: ['NOT_FOUND', 'VALIDATION_FAILED'],
    audit: { action: 'device_ban.create', object: 'device_ban' },
    handle: async ({ context, caller, body }) => ({
      device_ban: await banDevice(context, caller, body),
      message: 'The ban was created.',
    }),
  }),
  endpoint({
    id: 'device_bans.delete',
    method: 'DELETE',
    path: '/device-bans/:id',
    permission: 'client_security:write',
    summary: 'Lift a ban of a device or addresses.',
    params: RecordPath,
    response: z.object({ message: Message }),
    errors: ['NOT_FOUND'],
    audit: { action: 'device_ban.delete', object: 'device_ban' },
    handle: async ({ context, caller, params }) => {
      await liftBan(context, caller, params.id)
      return { message: 'The ban was lifted.' }
    },
  }),
]
