alter table sign_ins validate constraint sign_ins_how;
