// difference: output 12 (vector<9xi32>, byte 128) of thread 0, element 1: weft 0x33b23d7f, LLVM 0x3
// block (16, 2, 2), grid 2

  gpu.func @k23(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %rows: memref<?x16xi32>, %acc: memref<8xi32>) kernel {
    %zero = arith.constant 0 : index
    %v1 = gpu.thread_id x
    %v2 = gpu.block_dim x
    %v3 = gpu.thread_id y
    %v4 = gpu.block_dim y
    %v5 = gpu.thread_id z
    %v6 = gpu.block_dim z
    %v7 = gpu.block_id x
    %v8 = arith.muli %v7, %v6 : index
    %v9 = arith.addi %v8, %v5 : index
    %v10 = arith.muli %v9, %v4 : index
    %v11 = arith.addi %v10, %v3 : index
    %v12 = arith.muli %v11, %v2 : index
    %v13 = arith.addi %v12, %v1 : index
    %v14 = arith.constant 512 : i64
    %v15 = arith.index_cast %v13 : index to i64
    %v16 = arith.muli %v15, %v14 : i64
    %mine = llvm.getelementptr %in[%v16] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %v17 = arith.constant 4096 : i64
    %v18 = arith.index_cast %v13 : index to i64
    %v19 = arith.muli %v18, %v17 : i64
    %theirs = llvm.getelementptr %out[%v19] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8
    %tid = arith.addi %v13, %zero : index
    %v22 = llvm.getelementptr %mine[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %v23 = llvm.load %v22 : !llvm.ptr<1> -> f16
    %v30 = memref.alloca() : memref<4xvector<2xi32>>
    %v31 = llvm.getelementptr %mine[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %v32 = llvm.load %v31 : !llvm.ptr<1> -> vector<2xi32>
    %v33 = arith.constant 0 : index
    memref.store %v32, %v30[%v33] : memref<4xvector<2xi32>>
    %v34 = arith.constant 1 : index
    memref.store %v32, %v30[%v34] : memref<4xvector<2xi32>>
    %v35 = arith.constant 2 : index
    memref.store %v32, %v30[%v35] : memref<4xvector<2xi32>>
    %v36 = arith.constant 3 : index
    memref.store %v32, %v30[%v36] : memref<4xvector<2xi32>>
    %v37 = arith.constant 3 : index
    %v38 = arith.andi %tid, %v37 : index
    memref.store %v32, %v30[%v38] : memref<4xvector<2xi32>>
    %v41 = arith.uitofp %v32 : vector<2xi32> to vector<2xf32>
    %v42 = llvm.getelementptr %mine[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %v43 = llvm.load %v42 : !llvm.ptr<1> -> vector<10xi64>
    %v44 = vector.shape_cast %v43 : vector<10xi64> to vector<2x1x5xi64>
    %v45 = vector.shape_cast %v43 : vector<10xi64> to vector<2x5xi64>
    %v46, %v47 = vector.scan <xor>, %v44, %v45 {inclusive = true, reduction_dim = 1 : i64} : vector<2x1x5xi64>, vector<2x5xi64>
    %v51 = memref.alloca() : memref<4x8xf32>
    %v52 = arith.constant dense<[[0.5, 1.5, -23.807111375878122, 7.0, 100.0, 0.0, -0.0, 0.5], [0.0, 0.1, 0.0, 1.0, -1.0, -2.5, 1.5, -2.5], [3.0, 3.0, 0.5, 100.0, 3.0, 100.0, 1.0, -28.189371734978252], [-0.0, 0.5, 3.0, 3.0, -1.0, -1.0, 0.1, -2.5]]> : vector<4x8xf32>
    %v53 = arith.constant 0 : index
    vector.transfer_write %v52, %v51[%v53, %v53] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
    %v54 = arith.constant 3 : index
    %v55 = arith.andi %v38, %v54 : index
    %v56 = arith.constant 5 : index
    %v57 = llvm.getelementptr %mine[256] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %v58 = llvm.load %v57 : !llvm.ptr<1> -> f32
    memref.store %v58, %v51[%v55, %v56] : memref<4x8xf32>
    %v59 = arith.constant 3 : index
    %v60 = arith.andi %v55, %v59 : index
    %v61 = arith.constant 3 : index
    %v62 = arith.andi %v37, %v61 : index
    %v63 = arith.constant 1 : index
    %v64 = vector.create_mask %v63 : vector<2xi1>
    vector.compressstore %v51[%v60, %v62], %v64, %v41 : memref<4x8xf32>, vector<2xi1>, vector<2xf32>
    %v70 = arith.constant dense<1073741824> : vector<10xi32>
    %v71 = arith.constant dense<3> : vector<10xi32>
    %v72 = arith.andi %v70, %v71 : vector<10xi32>
    %v73 = arith.sitofp %v72 : vector<10xi32> to vector<10xf32>
    %v74 = vector.shape_cast %v73 : vector<10xf32> to vector<2x1x5xf32>
    %v75, %v76, %v77, %v78, %v79, %v80, %v81, %v82, %v83, %v84 = vector.to_elements %v74 : vector<2x1x5xf32>
    %v87 = arith.constant 23 : index
    %v101 = llvm.getelementptr %mine[320] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %v102 = llvm.load %v101 : !llvm.ptr<1> -> vector<8xi16>
    %v103 = vector.shape_cast %v102 : vector<8xi16> to vector<2x2x2xi16>
    %v104 = llvm.getelementptr %mine[336] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %v105 = llvm.load %v104 : !llvm.ptr<1> -> vector<8xi16>
    %v106 = vector.shape_cast %v105 : vector<8xi16> to vector<2x2x2xi16>
    %v107 = vector.shape_cast %v102 : vector<8xi16> to vector<2x2x2xi16>
    %v108 = vector.contract {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v103, %v106, %v107 : vector<2x2x2xi16>, vector<2x2x2xi16> into vector<2x2x2xi16>
    %v110 = memref.alloca() : memref<4x8xi32>
    %v111 = arith.constant dense<[[-83516528, -2147483648, -1257001993, 1073741824, 1, 1073741824, -818825500, 1], [0, -2, -2147483648, -2, 7, 7, -2147483648, 2], [1073741824, 0, 937696076, -1021934999, 10, 5, 7, -2147483648], [1, 1424053153, -63314044, -1, -1953462064, 1073741824, 0, 740821262]]> : vector<4x8xi32>
    %v112 = arith.constant 0 : index
    vector.transfer_write %v111, %v110[%v112, %v112] {in_bounds = [true, true]} : vector<4x8xi32>, memref<4x8xi32>
    %v113 = arith.constant 0 : index
    %v114 = arith.constant 6 : index
    %v115 = arith.constant 7 : i32
    memref.store %v115, %v110[%v113, %v114] : memref<4x8xi32>
    %v116 = arith.constant 3 : i32
    %v117 = arith.andi %v115, %v116 : i32
    %v119 = arith.constant 3 : i32
    %v120 = arith.andi %v117, %v119 : i32
    %v126 = memref.alloca() : memref<2x2x4xf16>
    %v127 = arith.constant dense<[[[3.0, 0.5, 3.0, -1.0], [0.5, 16.878451309470393, 1.5, 1.0]], [[-1.0, -33.41414419060567, -1.0, 1.5], [7.0, 46.83613067791711, 1.5, 1.0]]]> : vector<2x2x4xf16>
    %v128 = arith.constant 0 : index
    vector.transfer_write %v127, %v126[%v128, %v128, %v128] {in_bounds = [true, true, true]} : vector<2x2x4xf16>, memref<2x2x4xf16>
    %v129 = arith.constant 0 : index
    %v130 = arith.constant 0 : index
    %v131 = arith.constant 3 : i32
    %v132 = arith.andi %v116, %v131 : i32
    %v133 = arith.index_castui %v132 : i32 to index
    memref.store %v23, %v126[%v129, %v130, %v133] : memref<2x2x4xf16>
    %v134 = arith.constant 1 : index
    %v135 = arith.constant 1 : i32
    %v136 = arith.andi %v116, %v135 : i32
    %v137 = arith.index_castui %v136 : i32 to index
    %v138 = arith.constant 1 : index
    %v139 = vector.constant_mask [2, 2] : vector<4x3xi1>
    %v140 = llvm.getelementptr %mine[352] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %v141 = llvm.load %v140 : !llvm.ptr<1> -> vector<12xf16>
    %v142 = vector.shape_cast %v141 : vector<12xf16> to vector<4x3xf16>
    vector.transfer_write %v142, %v126[%v134, %v137, %v138], %v139 {in_bounds = [false, false], permutation_map = affine_map<(d0, d1, d2) -> (d1, d2)>} : vector<4x3xf16>, memref<2x2x4xf16>
    %v145 = arith.constant 0 : index
    %v148 = memref.alloca() : memref<4x2x2xi32>
    %v149 = arith.constant dense<[[[10, 2147483647], [10, -1099859450]], [[-1289249616, -1], [7, 3]], [[-1831408203, -1], [867319167, 2147483647]], [[-2, -19281377], [-1, -1]]]> : vector<4x2x2xi32>
    %v150 = arith.constant 0 : index
    vector.transfer_write %v149, %v148[%v150, %v150, %v150] {in_bounds = [true, true, true]} : vector<4x2x2xi32>, memref<4x2x2xi32>
    %v151 = arith.constant 3 : i32
    %v152 = arith.andi %v120, %v151 : i32
    %v153 = arith.index_castui %v152 : i32 to index
    %v154 = arith.constant 1 : index
    %v155 = arith.andi %v87, %v154 : index
    %v156 = arith.constant 0 : index
    memref.store %v116, %v148[%v153, %v155, %v156] : memref<4x2x2xi32>
    %v157 = arith.constant 3 : index
    %v158 = arith.andi %v145, %v157 : index
    %v159 = arith.constant 1 : i32
    %v160 = arith.andi %v151, %v159 : i32
    %v161 = arith.index_castui %v160 : i32 to index
    %v162 = arith.constant 0 : index
    %v163 = arith.constant 1 : index
    %v164 = llvm.getelementptr %mine[384] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %v165 = llvm.load %v164 : !llvm.ptr<1> -> vector<9xi1>
    %v166 = llvm.getelementptr %theirs[0] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v165, %v166 : vector<9xi1>, !llvm.ptr<1>
    %v167 = vector.shape_cast %v165 : vector<9xi1> to vector<3x3xi1>
    %v168 = vector.transfer_read %v148[%v163, %v161, %v162], %v152, %v167 {in_bounds = [false, true], permutation_map = affine_map<(d0, d1, d2) -> (d2, d0)>} : memref<4x2x2xi32>, vector<3x3xi32>
    %v169 = vector.shape_cast %v168 : vector<3x3xi32> to vector<9xi32>
    %v170 = arith.index_cast %v155 : index to i64
    %v171 = llvm.getelementptr %theirs[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v170, %v171 : i64, !llvm.ptr<1>
    %v172 = arith.index_cast %v156 : index to i64
    %v173 = llvm.getelementptr %theirs[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v172, %v173 : i64, !llvm.ptr<1>
    %v174 = arith.index_cast %v157 : index to i64
    %v175 = llvm.getelementptr %theirs[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v174, %v175 : i64, !llvm.ptr<1>
    %v176 = arith.index_cast %v158 : index to i64
    %v177 = llvm.getelementptr %theirs[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v176, %v177 : i64, !llvm.ptr<1>
    %v178 = llvm.getelementptr %theirs[40] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v159, %v178 : i32, !llvm.ptr<1>
    %v179 = llvm.getelementptr %theirs[44] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v160, %v179 : i32, !llvm.ptr<1>
    %v180 = arith.index_cast %v161 : index to i64
    %v181 = llvm.getelementptr %theirs[48] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v180, %v181 : i64, !llvm.ptr<1>
    %v182 = arith.index_cast %v162 : index to i64
    %v183 = llvm.getelementptr %theirs[56] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v182, %v183 : i64, !llvm.ptr<1>
    %v184 = arith.index_cast %v163 : index to i64
    %v185 = llvm.getelementptr %theirs[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v184, %v185 : i64, !llvm.ptr<1>
    %v186 = llvm.getelementptr %theirs[72] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v165, %v186 : vector<9xi1>, !llvm.ptr<1>
    %v187 = vector.shape_cast %v167 : vector<3x3xi1> to vector<9xi1>
    %v188 = llvm.getelementptr %theirs[74] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v187, %v188 : vector<9xi1>, !llvm.ptr<1>
    %v189 = llvm.getelementptr %theirs[128] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %v169, %v189 : vector<9xi32>, !llvm.ptr<1>
    gpu.return
  }
