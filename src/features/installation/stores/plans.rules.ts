/** The limits of each plan (decision 5). The quota is in calls a month; null means no quota. */
const PLANS = {
  free: { store_api: false, monthly_quota: 0 },
  starter: { store_api: true, monthly_quota: 10_000 },
  growth: { store_api: true, monthly_quota: 100_000 },
  scale: { store_api: true, monthly_quota: 1_000_000 },
  self_hosted: { store_api: true, monthly_quota: null },
} as const satisfies Record<string, { store_api: boolean; monthly_quota: number | null }>

type Plan = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as Plan[]

export const isPlan = (name: string): name is Plan => name in PLANS

/** Returns the limits of a plan. An unknown plan, such as one of a later version, has the limits of `free`. */
export const planOf = (name: string) => (isPlan(name) ? PLANS[name] : PLANS.free)
