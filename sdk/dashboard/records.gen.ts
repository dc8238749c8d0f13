// Written by `npm run sdk:types` from the endpoints of the dashboard. Do not edit.
export type * from './build-records.gen.ts'
export type * from './people-records.gen.ts'
export type * from './sell-records.gen.ts'
export type * from './store-records.gen.ts'
