alter table imports add constraint imports_acted_by foreign key (acted_by) references users (id) not valid;
