import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const team = catalogue({
  title: navigation.team,
  invite: ['Invite somebody', 'Jemanden einladen', 'Invitar a alguien'],
  inviteLead: [
    'The role applies to both sides of the store. The invitation ends after 7 days.',
    'Die Rolle gilt auf beiden Seiten des Shops. Die Einladung endet nach 7 Tagen.',
    'El rol vale en ambos lados de la tienda. La invitación caduca a los 7 días.',
  ],
  invited: [
    'The invitation was mailed.',
    'Die Einladung wurde gesendet.',
    'La invitación se envió.',
  ],
  role: ['Role', 'Rolle', 'Rol'],
  owner: [
    'Owner: everything, and makes owners',
    'Inhaber: alles, auch Inhaber ernennen',
    'Propietario: todo, y nombra propietarios',
  ],
  admin: ['Admin: everything else', 'Admin: alles andere', 'Administrador: todo lo demás'],
  staff: [
    'Staff: orders, shipping, returns, customers, tickets, reviews; reads the rest',
    'Mitarbeit: Bestellungen, Versand, Rückgaben, Kunden, Tickets, Bewertungen; liest den Rest',
    'Personal: pedidos, envíos, devoluciones, clientes, tickets, reseñas; lee lo demás',
  ],
  viewer: ['Viewer: reads everything', 'Betrachter: liest alles', 'Lector: lee todo'],
  lastSeen: ['Last seen', 'Zuletzt gesehen', 'Última vez'],
  since: ['Member since', 'Mitglied seit', 'Miembro desde'],
  changeRole: ['Change role', 'Rolle ändern', 'Cambiar rol'],
  remove: ['Remove from team', 'Aus dem Team entfernen', 'Quitar del equipo'],
  removeLead: [
    '{name} loses access to both sides of this store. Keys that {name} created continue to work.',
    '{name} kann diesen Shop auf beiden Seiten nicht mehr öffnen. Von {name} erstellte Keys gelten weiter.',
    '{name} ya no podrá abrir esta tienda, en ambos lados. Las claves que creó siguen valiendo.',
  ],
  invitations: ['Open invitations', 'Offene Einladungen', 'Invitaciones abiertas'],
  noInvitations: [
    'There are no open invitations.',
    'Keine Einladung wartet auf Antwort.',
    'Ninguna invitación espera respuesta.',
  ],
  withdraw: ['Withdraw', 'Zurückziehen', 'Retirar'],
  withdrawLead: [
    'The invitation link for {email} stops working.',
    'Der Link für {email} öffnet dann nichts mehr.',
    'El enlace para {email} dejará de valer.',
  ],
  ends: ['Ends', 'Endet', 'Termina'],
  you: ['you', 'Sie', 'usted'],
})
