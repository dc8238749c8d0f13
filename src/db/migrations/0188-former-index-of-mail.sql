-- 0187 replaces this index.
drop index if exists mail_by_age;
