const DOMAIN = '@erased.invalid'

/** Replaces the address of an erased customer: no mail reaches it (RFC 2606), and each has another. */
export const erasedEmail = (customerId: number): string => `erased-${customerId}${DOMAIN}`

export const isErasedEmail = (email: string): boolean => email.endsWith(DOMAIN)
