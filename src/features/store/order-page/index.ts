export { type OrderPage, openOrderPage, type PageAddress, payOnPage } from './open-order-page.ts'
export { openPageFile } from './open-page-file.ts'
export { shownDeliveries, showsGoods } from './page.rules.ts'
