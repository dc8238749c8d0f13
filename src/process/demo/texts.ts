/** The texts of customers and of the seller in the demo shop. */

export const REVIEWS: Readonly<Record<number, readonly string[]>> = {
  5: [
    'Exactly what I was looking for.',
    'Works from the first minute. Thank you!',
    'Arrived sooner than promised, and it looks great.',
    'My second order here, and not the last.',
  ],
  4: ['Very good. A little more text on the page would have helped.', 'Good value, quick answer.'],
  3: [
    'It is fine, but I expected a bit more for the price.',
    'Good, though the parcel took a while.',
  ],
  2: ['Not quite as in the picture.', 'Took two messages until it worked.'],
  1: ['It did not fit me at all.'],
}

export const REPLIES = [
  'Thank you for writing. We read every review.',
  'We are sorry for that. Write to us, and we will put it right.',
] as const

export const QUESTIONS: readonly { product: string; body: string; answer?: string }[] = [
  {
    product: 'editor',
    body: 'Does it read RAW files of older cameras?',
    answer: 'Yes, of most cameras made since 2004; the page lists them.',
  },
  {
    product: 'editor',
    body: 'Can I move my license to a new computer?',
    answer: 'Yes: remove the old one in the program, then activate the new one.',
  },
  {
    product: 'brushes',
    body: 'Do the brushes work on a tablet?',
    answer: 'Yes, in every editor that reads ABR files.',
  },
  {
    product: 'mug',
    body: 'Is the mug safe in a dishwasher?',
    answer: 'It is, though washing by hand keeps the print longer.',
  },
  {
    product: 'shirt',
    body: 'I am between M and L. Which one should I take?',
    answer: 'Take L: the shirt is cut straight.',
  },
  { product: 'poster', body: 'Do you have the poster with a frame?' },
  {
    product: 'cards',
    body: 'Is the code valid in every region?',
    answer: 'Yes, it has no region.',
  },
  {
    product: 'presets',
    body: 'Will there be presets for snow?',
    answer: 'We are working on them for winter.',
  },
  {
    product: 'server',
    body: 'How many people can play on one server?',
    answer: 'Up to 16 at once.',
  },
  {
    product: 'review',
    body: 'Can the review be in German?',
    answer: 'Yes, tell us when you book.',
  },
  {
    product: 'cloud',
    body: 'What happens to my pictures when I cancel?',
    answer: 'They stay for 60 days, and you can take them out.',
  },
  { product: 'editor', body: 'Is there a discount for schools?' },
  { product: 'mug', body: 'When will Forest be back?' },
  { product: 'brushes', body: 'May I use them for paid work?', answer: 'Yes, without a limit.' },
  { product: 'shirt', body: 'Where are the shirts made?' },
]

/** `lines` alternate between the seller and the customer, after the first message of the customer. */
export const TICKETS: readonly {
  subject: string
  message: string
  lines: readonly string[]
  closed: boolean
}[] = [
  {
    subject: 'Wrong colour in my parcel',
    message: 'I ordered White and got Coral.',
    lines: ['Sorry! We send the right one today.', 'It has arrived, thank you.'],
    closed: true,
  },
  {
    subject: 'Invoice with our company name',
    message: 'Could you add our company to the invoice?',
    lines: ['Done. You find it with your order.'],
    closed: true,
  },
  {
    subject: 'Code was already used',
    message: 'The game says that my code was used before.',
    lines: ['We replaced it. Please try the new one.', 'That one works.'],
    closed: true,
  },
  {
    subject: 'Cannot activate',
    message: 'The editor says that there are too many devices.',
    lines: ['We freed the old one. Please try again.'],
    closed: false,
  },
  {
    subject: 'Where is my parcel?',
    message: 'The tracking has not changed for five days.',
    lines: ['We asked the carrier and will write tomorrow.', 'Thank you. Any news?'],
    closed: false,
  },
  {
    subject: 'Change of address',
    message: 'I moved. Can you send it to my new address?',
    lines: ['We changed it just in time.'],
    closed: true,
  },
  {
    subject: 'Refund for a double order',
    message: 'I clicked twice and paid two orders.',
    lines: ['We refunded the second one.', 'Great, thank you!'],
    closed: true,
  },
  {
    subject: 'Brushes do not load',
    message: 'My editor says that the file is damaged.',
    lines: ['Please load it once more; we replaced the file.'],
    closed: false,
  },
  {
    subject: 'Date for my review',
    message: 'I paid for a portfolio review. When is it?',
    lines: [],
    closed: false,
  },
  {
    subject: 'Bulk order of mugs',
    message: 'We need 40 mugs in May. Is there a better price?',
    lines: [],
    closed: false,
  },
]

export const CANCEL_REASONS = [
  'Ordered by mistake.',
  'Found a better size.',
  'Asked by the customer.',
] as const
