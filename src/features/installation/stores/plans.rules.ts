/** Calls a month; null is no quota (decision 5). `free` has no Store API at all. */
export const PLANS = {
  free: { store_api: false, monthly_quota: 0 },
  starter: { store_api: true, monthly_quota: 10_000 },
  growth: { store_api: true, monthly_quota: 100_000 },
  scale: { store_api: true, monthly_quota: 1_000_000 },
  self_hosted: { store_api: true, monthly_quota: null },
} as const satisfies Record<string, { store_api: boolean; monthly_quota: number | null }>

export type Plan = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

export const isPlan = (name: string): name is Plan => name in PLANS

/** Returns the limits of a plan. An unknown name (of a later version) has those of `free`. */
export const planOf = (name: string) => (isPlan(name) ? PLANS[name] : PLANS.free)
