const ID = /^[1-9]\d{0,15}$/

/** Returns true if a text of `metadata` is one of our numbers. Sellers can change it at Stripe. */
export const isId = (text: string): boolean => ID.test(text)
