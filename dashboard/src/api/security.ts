/** Records of the management half of the Client Security API. */
export type * from '../../../sdk/client-security/management/index.ts'
